#include <dovetail/version.h>

#include <cstdio>

int main() {
  std::printf("dovetail %s\n", dovetail::kVersion);
}

// A run that is opened, judged and saved again: examples/review RUN_FOLDER NEW_FOLDER
#include <dovetail/session.h>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace dovetail;
  if (argc != 3) return 2;
  Observer quiet;
  Session session = Session::open(argv[1], {}, quiet);
  // The link that the run is least sure of, and what else its left entity may be.
  DecidedLink doubtful = session.links().front();
  for (const DecidedLink& link : session.links()) {
    if (link.confidence < doubtful.confidence) doubtful = link;
  }
  const std::span<const Candidate> candidates = session.candidates(Side::left, doubtful.left);
  std::printf("there are other candidates: %s\n", candidates.size() > 1 ? "yes" : "no");
  session.judge_different({doubtful.left, doubtful.right});
  session.refresh(quiet);
  bool there = false;
  for (const DecidedLink& link : session.links()) {
    there = there || (link.left == doubtful.left && link.right == doubtful.right);
  }
  std::printf("the link is still there: %s\n", there ? "yes" : "no");
  session.save(argv[2], {});
  const Session saved = Session::open(argv[2], {}, quiet);
  std::printf("the saved run knows it: %s\n", saved.pair().links.apart.size() == 1 ? "yes" : "no");
  std::printf("it has the same links: %s\n", saved.links().size() == session.links().size() ? "yes" : "no");
}

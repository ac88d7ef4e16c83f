#include <dovetail/errors.h>
#include <dovetail/numbers.h>
#include <dovetail/spelling.h>

#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail {
namespace {

using test::error_of;

TEST(Numbers, AreReadWithinTheirRange) {
  EXPECT_EQ(read_whole_number("depth", "16", {1, 16}), 16U);
  EXPECT_EQ(read_whole_number("seed", "18446744073709551615", kSeed), ~std::uint64_t{0});
  EXPECT_EQ(read_whole_number("dimension", "auto", {.least = 0, .most = 9, .zero = "auto"}), 0U);
  EXPECT_EQ(read_real_number("dropout", "0.25", kShareBelowOne), 0.25);
  for (const char* text : {"", "x", "-1", "17", "0", "1.0", "1e1", "0x10", "nan", "inf", " 3", "3 ", "+3"}) {
    EXPECT_THROW((void)read_whole_number("depth", text, {1, 16}), ParameterError) << text;
  }
  for (const char* text : {"", "x", "-1", "1", "nan", "inf", "-inf", "1e999", "0x0", ".5s"}) {
    EXPECT_THROW((void)read_real_number("dropout", text, kShareBelowOne), ParameterError) << text;
  }
}

TEST(Numbers, MessagesNameNameValueAndRange) {
  EXPECT_EQ(error_of([] { (void)read_whole_number("--epochs", "0", kPositiveCount); }),
            "--epochs is \"0\"; expected a whole number from 1 to 1,000,000,000");
  EXPECT_EQ(error_of([] { (void)read_real_number("--decay", "1", kShareBelowOne); }),
            "--decay is \"1\"; expected a number from 0 to below 1");
  EXPECT_EQ(error_of([] { (void)read_duration("--every", "1y", kDuration); }),
            "--every is \"1y\"; expected a duration from 0 to 8760h, such as 90 or 90s, 5m or 2h");
  EXPECT_EQ(error_of([] { (void)read_size("--memory", "", kMemory); }),
            "--memory is \"\"; expected a size from 0 to 1024T, such as 512M, 8G, 8GB or 8GiB");
  EXPECT_EQ(range_text(NumberKind::whole, kSeed), "0 to 18,446,744,073,709,551,615");
  EXPECT_EQ(range_text(NumberKind::real, {1e-12, 1e300}), "1e-12 to 1e300");
}

TEST(Numbers, DurationsHaveUnits) {
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("0.5s"), 0.5);
  EXPECT_EQ(parse_duration("5m"), 300);
  EXPECT_EQ(parse_duration("2h"), 7200);
  for (const char* text : {"", "s", "5 m", "5min", "m5", "1d", "nan", "infs"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Spelling, ProposesWhatIsNearOnly) {
  const std::vector<std::string> words = {"dimension", "depth", "tau"};
  EXPECT_EQ(did_you_mean("dimenson", words), "; did you mean dimension?");
  EXPECT_EQ(did_you_mean("dept", words), "; did you mean depth?");
  EXPECT_EQ(did_you_mean("velocity", words), "");
  EXPECT_EQ(did_you_mean(std::string(1 << 20, 'x'), words), "");
}

}  // namespace
}  // namespace dovetail

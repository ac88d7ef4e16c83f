#pragma once

#include <string_view>

// The page of a review, as the build found it: the files of this folder.
extern const std::string_view kReviewPage;
extern const std::string_view kReviewStyle;
extern const std::string_view kReviewScript;
extern const std::string_view kReviewIcon;

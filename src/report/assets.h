#pragma once

#include <string_view>

namespace dovetail {

// What pages embed, as the build found it: files of this folder, and the charts' library with its licence.
extern const std::string_view kPageStyle;
extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
extern const std::string_view kChartLibrary;
extern const std::string_view kChartLicence;

}  // namespace dovetail

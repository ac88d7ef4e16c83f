"""The report of a run in a real browser. usage: report_test.py PROGRAM"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, find_chromium

PROGRAM = os.path.abspath(sys.argv.pop())
CHARTS = ["degrees", "loss", "hits", "pairs", "coverage", "reliability", "by-degree", "confidences", "map"]

# Names that would run, end the script they stand in, or break a line of it, were they not escaped.
LEFT_NAME = r"<script>window.broken = 1</script>"
RIGHT_NAME = r'</script><img src=x onerror=\"window.broken = 2\">\u2028\u001B[31m '

# The number of colours on a chart's canvas.
COLOURS = """(() => {{
  const canvas = document.getElementById('{}');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(pixels.buffer)).size;
}})()"""


def run(*arguments):
    subprocess.run([PROGRAM, *arguments, "--quiet"], check=True)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = tempfile.mkdtemp(prefix="dovetail-report-")
        pair, cls.out = os.path.join(cls.here, "pair"), os.path.join(cls.here, "out")
        run("generate", pair, "--entities", "300", "--seed-ratio", "0.3")
        for side, name in (("left", LEFT_NAME), ("right", RIGHT_NAME)):
            path = os.path.join(pair, side + ".nt")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            label = "<http://www.w3.org/2000/01/rdf-schema#label> \""
            assert label in text
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(label, label + name))
        run("align", pair, "--mode", "semi", "--dimension", "32", "--out", cls.out)
        cls.page = os.path.join(cls.out, "report.html")
        cls.browser = Browser()
        cls.browser.resize(1280)
        cls.browser.open(cls.page)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.here, ignore_errors=True)

    def colours(self, chart):
        return self.browser.evaluate(COLOURS.format(chart))

    def test_complains_of_nothing_and_asks_nobody(self):
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual(self.browser.requests, ["file://" + self.page])

    def test_draws_every_chart(self):
        canvases = self.browser.evaluate("[...document.querySelectorAll('canvas')].map((canvas) => canvas.id)")
        self.assertEqual(sorted(canvases), sorted(CHARTS))
        for chart in CHARTS:
            self.assertGreater(self.colours(chart), 5, chart)

    def test_shows_names_on_the_map_under_the_pointer(self):
        place = self.browser.evaluate("""(() => {
          document.getElementById('map').scrollIntoView();
          const point = Chart.getChart('map').getDatasetMeta(0).data[7];
          const box = document.getElementById('map').getBoundingClientRect();
          return [box.left + point.x, box.top + point.y];
        })()""")
        opacity = "Chart.getChart('map').tooltip.opacity"
        self.assertEqual(self.browser.evaluate(opacity), 0)
        before = self.browser.evaluate("document.getElementById('map').toDataURL()")
        self.browser.point_at(*place)
        self.assertEqual(self.browser.evaluate(opacity), 1)
        lines = self.browser.evaluate("Chart.getChart('map').tooltip.body.flatMap((part) => part.lines)")
        self.assertTrue(lines[0].startswith("left: <script>window.broken = 1</script>"), lines)
        self.assertIn("</script><img", lines[1])
        self.assertRegex(lines[2], r"^confidence [01]\.\d{3}$")
        self.assertNotEqual(self.browser.evaluate("document.getElementById('map').toDataURL()"), before)
        self.browser.point_at(0, 0)

    def test_shows_markup_in_names_as_text(self):
        self.assertIsNone(self.browser.evaluate("window.broken"))
        self.assertEqual(self.browser.evaluate("document.scripts.length"), 3)
        self.assertEqual(self.browser.evaluate("document.images.length"), 0)
        names = self.browser.evaluate("[...document.querySelectorAll('.end b')].map((name) => name.textContent)")
        self.assertEqual(len(names), 100)
        self.assertTrue(names[0].startswith("<script>window.broken = 1</script>"), names[0])
        self.assertTrue(names[1].startswith("</script><img src=x"), names[1])
        self.assertIn("\\x1B[31m", names[1])
        with open(self.page, encoding="utf-8") as file:
            self.assertIsNone(re.search(r"[\x00-\x08\x0b-\x1f\x7f]", file.read()))

    def test_fits_a_phone(self):
        self.browser.resize(400, mobile=True)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
        for chart in CHARTS:
            self.assertLessEqual(self.browser.evaluate(f"document.getElementById('{chart}').clientWidth"), 400)
            self.assertGreater(self.colours(chart), 5, chart)
        self.browser.resize(1280)

    def test_is_dark_where_that_is_wanted_and_light_on_paper(self):
        background = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(background)
        before = self.browser.evaluate("document.getElementById('loss').toDataURL()")
        self.browser.scheme("dark")
        self.assertNotEqual(self.browser.evaluate(background), light)
        self.assertNotEqual(self.browser.evaluate("document.getElementById('loss').toDataURL()"), before)
        self.assertTrue(self.browser.pdf().startswith(b"%PDF-"))
        self.browser.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.evaluate(background), light)
        self.assertEqual(self.browser.evaluate("document.getElementById('loss').toDataURL()"), before)
        self.browser.evaluate("dispatchEvent(new Event('afterprint'))")
        self.browser.scheme("light")


if __name__ == "__main__":
    if not find_chromium():
        print("no Chromium; tools/setup.sh browser installs it")
        sys.exit(77)  # skipped
    unittest.main()

"""The page of `dovetail review` in a real browser. usage: review_page_test.py PROGRAM"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser, find_chromium
from review_program import Reviewing

PROGRAM = os.path.abspath(sys.argv.pop())

# Names that would run were they not shown as text, that change the direction of writing, and that are very long.
LEFT_NAME = r"<script>window.broken = 1</script>"
RIGHT_NAME = r'<img src=x onerror=\"window.broken = 2\">\u05D0\u05D1\u202E'
LONG_NAME = "Donaudampfschiff" * 625


def run(*arguments):
    subprocess.run([PROGRAM, *arguments, "--quiet"], check=True)


def prefix_labels(path, prefix, first):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    label = '<http://www.w3.org/2000/01/rdf-schema#label> "'
    assert label in text
    text = text.replace(label, label + first, 1).replace(label, label + prefix)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = tempfile.mkdtemp(prefix="dovetail-review-page-")
        pair, cls.made = os.path.join(cls.here, "pair"), os.path.join(cls.here, "made")
        run("generate", pair, "--entities", "300", "--seed-ratio", "0.3")
        prefix_labels(os.path.join(pair, "left.nt"), LEFT_NAME, LONG_NAME)
        prefix_labels(os.path.join(pair, "right.nt"), RIGHT_NAME, LONG_NAME)
        run("align", os.path.join(pair, "left.nt"), os.path.join(pair, "right.nt"), "--links",
            os.path.join(pair, "train_links.tsv"), "--mode", "semi", "--dimension", "32", "--out", cls.made, "--no-report")
        cls.browser = Browser()
        cls.browser.resize(1280)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.here, ignore_errors=True)

    def setUp(self):
        self.run_folder = os.path.join(self.here, self.id())
        shutil.copytree(self.made, self.run_folder)
        self.review = Reviewing(PROGRAM, self.run_folder)
        self.open_page()

    def tearDown(self):
        if self.review.process.poll() is None:
            self.review.end()

    def open_page(self):
        self.browser.complaints.clear()
        self.browser.requests.clear()
        self.browser.visit(self.review.address)
        self.wait("document.getElementById('item').hidden === false")

    def text(self, identifier):
        return self.browser.evaluate(f"document.getElementById('{identifier}').textContent")

    def click(self, selector):
        self.browser.evaluate(f"document.querySelector({selector!r}).click()")

    def wait(self, condition):
        end = time.monotonic() + 60
        while not self.browser.evaluate(condition):
            self.assertLess(time.monotonic(), end, condition)
            time.sleep(0.05)

    def press(self, key):
        self.browser.press(key)

    def judged(self, count):
        self.wait(f"document.getElementById('status').textContent.startsWith('{count} judged')")

    def test_decides_with_keys_and_mouse(self):
        self.judged(0)
        self.press("s")
        self.judged(1)
        self.assertIn("Saved: same", self.text("thought"))
        self.press("d")
        self.judged(2)
        self.click("[data-verdict=unsure]")
        self.judged(3)
        self.press("x")
        self.judged(4)
        self.assertEqual([said["verdict"] for said in self.review.judgements()], ["same", "different", "unsure", "none"])
        self.press("z")
        self.judged(3)
        before = self.browser.evaluate("state.item.item")
        self.press("n")
        self.wait(f"state.item.item !== {before}")
        self.judged(3)
        while self.browser.evaluate("state.item.candidates.length") < 2:
            before = self.browser.evaluate("state.item.item")
            self.press("n")
            self.wait(f"state.item.item !== {before}")
        wanted = self.browser.evaluate("state.item.candidates[1].iri")
        self.press("2")
        self.judged(4)
        self.assertEqual(self.review.judgements()[-1]["right"], wanted)
        self.assertEqual(self.browser.complaints, [])
        self.assertTrue(all(url.startswith(f"http://127.0.0.1:{self.review.port}/") for url in self.browser.requests))

    def test_shows_names_as_text(self):
        self.click("#tab-table")
        self.wait("document.querySelectorAll('#rows tr').length > 10")
        self.assertIsNone(self.browser.evaluate("window.broken"))
        self.assertEqual(self.browser.evaluate("document.images.length"), 0)
        self.assertEqual(self.browser.evaluate("document.scripts.length"), 1)
        shown = self.browser.evaluate("document.querySelector('#rows td').textContent")
        self.assertTrue(shown.startswith("<script>window.broken = 1</script>"), shown[:80])
        self.browser.evaluate("document.getElementById('text').value = 'Donaudampfschiff'; document.getElementById('text').dispatchEvent(new Event('input'))")
        self.wait("document.getElementById('page').textContent === '1 to 1' || document.getElementById('page').textContent === '1 to 2'")
        self.click("#rows tr .decide button:last-child")
        self.wait("document.querySelector('.name').textContent.length > 9000")
        for width in (1280, 400):
            self.browser.resize(width, mobile=width < 1000)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
        self.browser.resize(1280)

    def test_blind_hides_what_the_program_thinks(self):
        self.assertIn("confidence", self.text("thought"))
        self.assertNotIn("after the decision", self.text("thought"))
        self.press("b")
        self.wait("document.getElementById('thought').textContent.includes('after the decision')")
        self.assertFalse(self.browser.evaluate("'confidence' in state.item"))
        self.press("s")
        self.judged(1)
        self.assertRegex(self.text("thought"), r"confidence was 0\.\d{3}|confidence was 1\.000")

    def test_filters_and_decides_many(self):
        self.browser.evaluate("window.confirm = () => true")
        self.click("#tab-table")
        self.wait("document.querySelectorAll('#rows tr').length > 10")
        self.browser.evaluate("""for (const [id, value] of [['kind', 'link'], ['least', '0.9'], ['verdict-is', 'open']]) {
          document.getElementById(id).value = value;
          document.getElementById(id).dispatchEvent(new Event('input'));
        }""")
        self.wait("document.getElementById('total').textContent !== '' && state.openLinks === state.total && state.total > 0")
        count = self.browser.evaluate("state.openLinks")
        self.click("#all-same")
        self.judged(count)
        self.assertEqual(len(self.review.judgements()), count)

    def test_learns_and_shows_what_changed(self):
        for _ in range(5):
            self.press("d")
        self.wait("document.getElementById('status').textContent.startsWith('5 judged')")
        self.click("#tab-learn")
        self.wait("document.getElementById('to-learn').textContent.startsWith('5 decisions')")
        self.click("#start-learning")
        self.wait("document.getElementById('changes').textContent.includes('links gained')")
        self.wait("document.getElementById('to-learn').textContent.startsWith('Every decision')")
        self.click("#save")
        self.wait("document.getElementById('task').textContent === 'saved'")

    def test_goes_on_after_a_reload_and_a_kill(self):
        self.press("s")
        self.judged(1)
        self.open_page()
        self.judged(1)
        self.review.end(signal.SIGKILL)
        self.press("s")
        self.wait("document.getElementById('error').hidden === false")
        self.assertIn("nothing was saved", self.text("error"))
        self.review = Reviewing(PROGRAM, self.run_folder)
        self.open_page()
        self.judged(1)

    def test_estimates(self):
        self.browser.evaluate("document.getElementById('order').value = 'random'; document.getElementById('order').dispatchEvent(new Event('change'))")
        for n in range(5):
            self.press("s")
            self.judged(n + 1)
        self.click("#tab-quality")
        self.wait("document.getElementById('precision').textContent.startsWith('100.0%')")
        self.assertIn("from 5 answers", self.text("precision"))
        self.assertRegex(self.text("more"), r"^About \d+ more answers")

    def test_can_be_used_with_the_keyboard_and_a_screen_reader(self):
        self.browser.evaluate("document.getElementById('tab-queue').focus()")
        self.press("ArrowRight")
        self.wait("!document.getElementById('table').hidden")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "tab-table")
        self.assertEqual(self.browser.evaluate("document.activeElement.getAttribute('aria-selected')"), "true")
        unnamed = self.browser.evaluate("""[...document.querySelectorAll('button, select, input, [role=region]')]
          .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label'))).map((one) => one.outerHTML)""")
        self.assertEqual(unnamed, [])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('[role=status][aria-live=polite], [role=alert]').length"), 2)

    def test_fits_a_phone_and_is_dark_where_that_is_wanted(self):
        background = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(background)
        pictures = os.environ.get("DOVETAIL_PICTURES")
        for scheme in ("light", "dark"):
            self.browser.scheme(scheme)
            for width in (1280, 400):
                self.browser.resize(width, mobile=width < 1000)
                for tab in ("queue", "table", "quality", "learn"):
                    self.click(f"#tab-{tab}")
                    self.browser.settle()
                    time.sleep(0.3)
                    self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width, tab)
                    if pictures:
                        self.browser.picture(os.path.join(pictures, f"{tab}-{width}-{scheme}.png"))
        self.assertNotEqual(self.browser.evaluate(background), light)
        self.browser.scheme("light")
        self.browser.resize(1280)


if __name__ == "__main__":
    if not find_chromium():
        print("no Chromium; tools/setup.sh browser installs it")
        sys.exit(77)  # skipped
    unittest.main()

"""The server of `dovetail review` over HTTP. usage: review_http_test.py PROGRAM"""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from review_program import Reviewing

PROGRAM = os.path.abspath(sys.argv.pop())


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = tempfile.mkdtemp(prefix="dovetail-review-")
        pair, cls.made = os.path.join(cls.here, "pair"), os.path.join(cls.here, "made")
        run("generate", pair, "--entities", "300", "--seed-ratio", "0.3", "--quiet")
        run("align", os.path.join(pair, "left.nt"), os.path.join(pair, "right.nt"), "--links",
            os.path.join(pair, "train_links.tsv"), "--mode", "semi", "--dimension", "32", "--out", cls.made,
            "--no-report", "--quiet")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.here, ignore_errors=True)

    def setUp(self):
        self.run_folder = os.path.join(self.here, self.id())
        shutil.copytree(self.made, self.run_folder)
        self.review = Reviewing(PROGRAM, self.run_folder)

    def tearDown(self):
        if self.review.process.poll() is None:
            self.review.end()

    # Who is let in

    def test_needs_the_token(self):
        for path in ("/", "/api/state", "/review.js", "/api/next?order=random", "/?token=" + "0" * 32):
            self.assertEqual(self.review.request("GET", path, cookie=False)[0], 403, path)
            self.assertEqual(self.review.request("GET", path, cookie=False,
                                                 headers={"Cookie": self.review.cookie[:-1] + "x"})[0], 403, path)
        status, headers, _ = self.review.request("GET", "/?token=" + self.review.token, cookie=False)
        self.assertEqual((status, headers["Location"]), (303, "/"))
        self.assertIn(self.review.cookie, headers["Set-Cookie"])
        for part in ("HttpOnly", "SameSite=Strict"):
            self.assertIn(part, headers["Set-Cookie"])
        self.assertEqual(self.review.request("GET", "/")[0], 200)

    def test_is_for_this_machine_alone(self):
        for host in ("example.org", "127.0.0.1.example.org", "localhost.example.org:80", "10.0.0.1", "", "[::2]"):
            self.assertEqual(self.review.request("GET", "/", headers={"Host": host})[0], 403, host)
        for host in ("127.0.0.1", "localhost:9999", "[::1]:80", f"127.0.0.1:{self.review.port}"):
            self.assertEqual(self.review.request("GET", "/", headers={"Host": host})[0], 200, host)
        for origin in ("http://example.org", "null", f"https://127.0.0.1:{self.review.port}", "http://127.0.0.1:1"):
            self.assertEqual(self.review.request("GET", "/api/state", headers={"Origin": origin})[0], 403, origin)
        own = {"Origin": f"http://127.0.0.1:{self.review.port}"}
        self.assertEqual(self.review.request("GET", "/api/state", headers=own)[0], 200)
        self.assertEqual(self.review.request("POST", "/api/undo", "{}", {"Content-Type": "text/plain"})[0], 415)
        with socket.socket() as outside:  # nothing but 127.0.0.1 is listened to
            outside.settimeout(5)
            self.assertNotEqual(outside.connect_ex(("127.0.0.2", self.review.port)), 0)

    def test_lets_the_page_run_its_own_script_only(self):
        _, headers, page = self.review.request("GET", "/")
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn(b"<script>", page)
        self.assertNotIn(b"http://", page)
        self.assertNotIn(b"https://", page)

    def test_serves_nothing_else(self):
        for path in ("/../run.json", "/..%2frun.json", "/%2e%2e/run.json", "/review.jsonl", "//etc/passwd",
                     "/api/../run.json", "/api/nothing", "/review.js/../../run.json"):
            self.assertEqual(self.review.request("GET", path)[0], 404, path)

    # What is too much

    def test_refuses_large_requests(self):
        status = self.review.request("POST", "/api/judge", "x" * (3 << 19))[0]
        self.assertEqual(status, 413)

        def send(head, piece):
            with socket.create_connection(("127.0.0.1", self.review.port), 60) as client:
                sent = 0
                try:
                    client.sendall(head)
                    while sent < 100 << 20:
                        client.sendall(piece)
                        sent += len(piece)
                except OSError:
                    pass
                return sent

        host = f"Host: 127.0.0.1\r\nCookie: {self.review.cookie}\r\n".encode()
        post = b"POST /api/judge HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
        self.assertLess(send(post + b"Content-Length: 104857600\r\n\r\n", b"x" * 65536), 50 << 20)
        self.assertLess(send(post + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"), 50 << 20)
        self.assertLess(send(b"GET / HTTP/1.1\r\n" + host + b"X-Long: ", b"x" * 65536), 50 << 20)
        with open(f"/proc/{self.review.process.pid}/status", encoding="ascii") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        self.assertLess(resident, 400 << 10)  # KiB
        self.assertEqual(self.review.request("GET", "/")[0], 200)

    def test_slow_clients_keep_nobody_waiting(self):
        slow = []
        for _ in range(20):
            client = socket.create_connection(("127.0.0.1", self.review.port), 60)
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            slow.append(client)
        begin = time.monotonic()
        self.assertEqual(self.review.request("GET", "/")[0], 200)
        self.assertLess(time.monotonic() - begin, 5)
        slow[0].settimeout(30)
        try:
            while slow[0].recv(4096):  # it is given up
                pass
        except ConnectionResetError:
            pass
        for client in slow:
            client.close()

    def test_serves_many_clients(self):
        failures = []
        end = time.monotonic() + float(os.environ.get("DOVETAIL_LOAD_SECONDS", "3"))

        def client():
            connection = http.client.HTTPConnection("127.0.0.1", self.review.port, timeout=60)
            while time.monotonic() < end:
                try:
                    connection.request("GET", "/api/next?order=useful", headers={"Cookie": self.review.cookie})
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status != 200:
                        failures.append(answer.status)
                except (OSError, http.client.HTTPException) as error:
                    failures.append(repr(error))
                    connection.close()

        clients = [threading.Thread(target=client) for _ in range(50)]
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
        self.assertEqual(failures, [])

    # What is decided

    def test_decisions_survive_a_kill(self):
        asked = []
        for verdict in ("same", "different", "unsure", "none"):
            item = self.review.ask("/api/next?order=useful")
            asked.append(item["item"])
            answer = self.review.ask("/api/judge", {"item": item["item"], "verdict": verdict, "order": "useful"})
            self.assertTrue(answer["saved"])
            said = self.review.judgements()[-1]  # on disk by then
            self.assertEqual((said["verdict"], said["reviewer"], said["order"]), (verdict, "Ann", "useful"))
            self.assertRegex(said["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.review.end(signal.SIGKILL)
        self.review = Reviewing(PROGRAM, self.run_folder)
        self.assertEqual(self.review.ask("/api/state")["counts"]["judged"], 4)
        self.assertNotIn(self.review.ask("/api/next?order=useful")["item"], asked)
        for number, verdict in zip(asked, ("same", "different", "unsure", "none")):
            self.assertEqual(self.review.ask(f"/api/item?item={number}")["verdict"], verdict)

    def test_takes_back_and_chooses(self):
        item = self.review.ask("/api/next?order=doubtful")
        self.review.ask("/api/judge", {"item": item["item"], "verdict": "same", "order": "doubtful"})
        self.review.ask("/api/undo", {})
        self.assertEqual(self.review.ask("/api/state")["counts"]["judged"], 0)
        self.assertEqual(self.review.ask("/api/next?order=doubtful")["item"], item["item"])
        with self.assertRaisesRegex(RuntimeError, "409: there is nothing to take back"):
            self.review.ask("/api/undo", {})
        links = self.review.ask("/api/table", {"kind": "link", "limit": 200})["rows"]
        row = next(row for row in links if len(self.review.ask(f"/api/item?item={row['item']}")["candidates"]) > 2)
        item = self.review.ask(f"/api/item?item={row['item']}")
        choice = next(n for n, other in enumerate(item["candidates"]) if other["id"] != item["right"]["id"])
        self.review.ask("/api/judge", {"item": row["item"], "verdict": "choose", "choice": choice})
        said = self.review.judgements()[-1]
        self.assertEqual(said["right"], item["candidates"][choice]["iri"])
        self.assertEqual(said["instead_of"], item["right"]["iri"])

    def test_blind_shows_nothing_before_the_decision(self):
        item = self.review.ask("/api/next?order=useful&blind=1")
        self.assertNotIn("confidence", item)
        self.assertNotIn("for", item)
        self.assertTrue(all("score" not in candidate for candidate in item["candidates"]))
        self.assertIn("confidence", self.review.ask("/api/judge", {"item": item["item"], "verdict": "same"}))
        self.assertIn("confidence", self.review.ask(f"/api/item?item={item['item']}&blind=1"))

    def test_table_filters_sorts_and_judges_many(self):
        everything = self.review.ask("/api/table", {"limit": 500})
        self.assertEqual(everything["total"], len(everything["rows"]))
        confidences = [row["confidence"] for row in everything["rows"]]
        self.assertEqual(confidences, sorted(confidences, reverse=True))
        names = [row["left"]["name"] if row["left"] else "" for row in
                 self.review.ask("/api/table", {"limit": 500, "sort": "left"})["rows"]]
        self.assertEqual(names, sorted(names, key=str.encode))
        row = everything["rows"][3]
        found = self.review.ask("/api/table", {"text": row["left"]["iri"].upper()})["rows"]
        self.assertIn(row["item"], [one["item"] for one in found])
        query = {"kind": "link", "least": 0.5, "verdict_is": "open"}
        count = self.review.ask("/api/table", query)["open_links"]
        self.assertGreater(count, 10)
        with self.assertRaisesRegex(RuntimeError, "409: .* links would be judged"):
            self.review.ask("/api/judge-all", {**query, "verdict": "same", "count": count + 1})
        self.assertEqual(self.review.judgements(), [])
        self.review.ask("/api/judge-all", {**query, "verdict": "same", "count": count})
        self.assertEqual(len(self.review.judgements()), count)
        self.assertEqual(self.review.ask("/api/table", query)["total"], 0)

    def test_bad_requests_are_refused(self):
        for body in ("", "{", "[]", "{}", '{"item": -1, "verdict": "same"}', '{"item": 4294967295, "verdict": "same"}',
                     '{"item": 0, "verdict": "perhaps"}', '{"item": "0", "verdict": "same"}',
                     '{"item": 0, "verdict": "choose", "choice": 99}', '{"item": 0, "verdict": "undone"}'):
            status, _, content = self.review.request("POST", "/api/judge", body)
            self.assertIn(status, (400, 409), body)
            self.assertIn("error", json.loads(content))
        for path in ("/api/next", "/api/next?order=best", "/api/item", "/api/item?item=x", "/api/export?format=zip"):
            self.assertEqual(self.review.request("GET", path)[0], 409, path)
        self.assertEqual(self.review.judgements(), [])

    # What follows

    def learn(self):
        self.review.ask("/api/learn", {})
        for _ in range(600):
            answer = self.review.ask("/api/learning")
            if not answer["learning"]:
                return answer["changes"]
            time.sleep(0.1)
        self.fail("learning does not end")

    def test_learns_and_saves(self):
        wrong = self.review.ask("/api/table", {"kind": "link", "sort": "-confidence"})["rows"][:5]
        for row in wrong:
            self.review.ask("/api/judge", {"item": row["item"], "verdict": "different", "order": "table"})
        changes = self.learn()
        self.assertNotIn("error", changes)
        pairs = {(row["left"]["iri"], row["right"]["iri"]) for row in wrong}
        rows = self.review.ask("/api/table", {"kind": "link", "limit": 500})["rows"]
        self.assertGreater(len(rows), 50)
        self.assertFalse(pairs & {(row["left"]["iri"], row["right"]["iri"]) for row in rows})
        self.assertEqual(self.review.ask("/api/state")["counts"]["new_judgements"], 0)
        self.assertTrue(self.review.ask("/api/save", {})["saved"])
        self.assertEqual(self.review.end(), 0)
        with open(os.path.join(self.run_folder, "links.tsv"), encoding="utf-8") as file:
            saved = {tuple(line.split("\t")[:2]) for line in file}
        self.assertFalse(pairs & saved)
        self.assertGreater(len(saved), 50)
        self.review = Reviewing(PROGRAM, self.run_folder)  # judgements are still there
        self.assertEqual(self.review.ask("/api/state")["counts"]["verdicts"]["different"], 5)

    def test_estimates_precision_from_random_answers(self):
        self.assertEqual(self.review.ask("/api/quality")["all"]["answers"], 0)
        for n in range(10):
            item = self.review.ask("/api/next?order=random")
            self.review.ask("/api/judge", {"item": item["item"], "verdict": "different" if n == 0 else "same", "order": "random"})
        quality = self.review.ask("/api/quality?threshold=0.5")
        self.assertEqual((quality["all"]["answers"], quality["all"]["right"]), (10, 9))
        self.assertLess(quality["all"]["low"], 0.9)
        self.assertGreater(quality["all"]["high"], 0.9)
        self.assertEqual(sum(band["links"] for band in quality["bands"]), quality["links"])
        self.assertEqual(sum(band["answers"] for band in quality["bands"]), 10)

    def test_exports_with_the_reviewer(self):
        item = self.review.ask("/api/next?order=useful")
        self.review.ask("/api/judge", {"item": item["item"], "verdict": "same"})
        _, headers, content = self.review.request("GET", "/api/export?format=sssom&what=accepted")
        self.assertIn("links.sssom.tsv", headers["Content-Disposition"])
        lines = [line for line in content.decode().splitlines() if not line.startswith("#")]
        self.assertEqual(len(lines), 2)
        record = dict(zip(lines[0].split("\t"), lines[1].split("\t")))
        self.assertEqual(record["mapping_justification"], "semapv:ManualMappingCuration")
        self.assertEqual(record["reviewer_label"], "Ann")
        links = self.review.ask("/api/state")["counts"]["links"]
        for name in ("links-tsv", "links-csv", "links-json", "sameas", "sssom", "alignment-api"):
            status, _, content = self.review.request("GET", f"/api/export?format={name}&what=above&least=0")
            self.assertEqual(status, 200)
            self.assertGreaterEqual(content.count(b"http://left"), links)
        table = self.review.request("GET", "/api/export?format=review")[2].decode().splitlines()
        self.assertEqual(table[0].split("\t")[:3], ["left", "right", "verdict"])
        self.assertEqual(len(table), 2)

    def test_a_full_disk_is_told(self):
        self.review.end()
        # No file of this process may grow beyond a few bytes.
        script = os.path.join(self.here, "limited")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\ntrap "" XFSZ\nulimit -f 0\nexec {PROGRAM} "$@"\n')
        os.chmod(script, 0o755)
        self.review = Reviewing(script, self.run_folder)
        item = self.review.ask("/api/next?order=useful")
        status, _, content = self.review.request(
            "POST", "/api/judge", json.dumps({"item": item["item"], "verdict": "same"}))
        self.assertEqual(status, 507)
        self.assertIn("not saved", json.loads(content)["error"])
        self.assertEqual(self.review.ask("/api/state")["counts"]["judged"], 0)
        self.assertEqual(self.review.ask("/api/next?order=useful")["item"], item["item"])

    # How it ends

    def test_ends_on_signals_and_when_idle(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.assertEqual(self.review.end(number), 0)
            self.review = Reviewing(PROGRAM, self.run_folder)
        self.review.end()
        self.review = Reviewing(PROGRAM, self.run_folder, "--idle", "1s")
        self.assertEqual(self.review.process.wait(30), 0)

    def test_one_review_at_a_time(self):
        second = subprocess.run([PROGRAM, "review", self.run_folder], capture_output=True, text=True, timeout=60)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another review", second.stderr)

    def test_merges_two_reviews(self):
        other = os.path.join(self.here, self.id() + "-other")
        shutil.copytree(self.run_folder, other, ignore=shutil.ignore_patterns("review.jsonl"))
        for n in range(4):
            item = self.review.ask("/api/next?order=random")
            self.review.ask("/api/judge", {"item": item["item"], "verdict": "same" if n % 2 else "different", "order": "random"})
        self.review.end()
        self.review = Reviewing(PROGRAM, other)
        for n in range(4):
            item = self.review.ask("/api/next?order=random")
            self.review.ask("/api/judge", {"item": item["item"], "verdict": "same" if n % 2 and n > 1 else "different", "order": "random"})
        self.review.end()
        merged = os.path.join(self.here, "merged.jsonl")
        text = run("review", "--merge", self.run_folder, other, "-o", merged)
        # Alike 3 of 4: observed .75, by chance .5 x .25 + .5 x .75.
        self.assertTrue(text.startswith("4 questions answered in both, 3 alike (75.0%), Cohen's kappa 0.500\n"), text)
        self.assertEqual(len(text.splitlines()), 2)
        with open(merged, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 8)


if __name__ == "__main__":
    unittest.main()

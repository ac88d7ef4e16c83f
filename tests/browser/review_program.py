"""`dovetail review` as a running program, for tests."""

import http.client
import json
import os
import re
import select
import signal
import subprocess


class Reviewing:
    """A review that is going on. `ask` uses the cookie that the token was given for."""

    def __init__(self, program, folder, *options):
        self.folder = folder
        self.process = subprocess.Popen([program, "review", folder, "--reviewer", "Ann", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        ready, _, _ = select.select([self.process.stdout], [], [], 120)
        assert ready, "the server did not start"
        self.address = self.process.stdout.readline().decode().strip()
        assert self.address, self.process.stderr.read().decode()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        assert found, self.address
        self.port, self.token = int(found[1]), found[2]
        self.cookie = f"dovetail-{self.port}={self.token}"

    def request(self, method, path, body=None, headers=None, cookie=True):
        """Status, headers and body of the answer to a request as it is given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Cookie": self.cookie} if cookie else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def ask(self, path, body=None):
        status, _, content = self.request("GET" if body is None else "POST", path,
                                          None if body is None else json.dumps(body))
        record = json.loads(content)
        if status != 200:
            raise RuntimeError(f"{status}: {record['error']}")
        return record

    def judgements(self):
        path = os.path.join(self.folder, "review.jsonl")
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode

#!/usr/bin/env python3
"""Plays addresses in a headless Chromium and tells how long each took to sound.

    browser.py ROUNDS URL...      prints one line of JSON for each URL

With HOLD=60 in the environment each one is played for so many seconds, and `held` says how many the audio's clock made.

Speaks WebDriver's own HTTP to chromedriver, so that nothing but the browser is needed. Milliseconds are the page's own:
from the moment the address is set to the event `playing`, and to the moment at which the clock of the audio moves.
"""
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PLAY = """
const [url, hold, done] = arguments;
const audio = new Audio();
audio.muted = true;
const begun = performance.now();
let playing = null;
const end = (facts) => {
  audio.removeAttribute('src');
  audio.load();
  done(facts);
};
const fail = (why) => end({error: String(why)});
audio.addEventListener('error', () => fail(audio.error && audio.error.message));
audio.addEventListener('playing', () => {
  if (playing !== null) return;
  playing = performance.now() - begun;
  const from = audio.currentTime;
  const look = () => {
    if (audio.currentTime > from) {
      const facts = {playing, moving: performance.now() - begun, live: audio.duration === Infinity};
      const since = audio.currentTime;
      setTimeout(() => end({...facts, held: audio.currentTime - since}), hold * 1000);
    } else if (performance.now() - begun > 10000) {
      fail('the clock stands still');
    } else {
      setTimeout(look, 1);
    }
  };
  look();
});
setTimeout(() => { if (playing === null) fail('no sound in 10 s'); }, 10000);
audio.src = url;
audio.play().catch(fail);
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


HOLD = float(os.environ.get("HOLD", "0"))


class Page(http.server.BaseHTTPRequestHandler):
    """An empty page to play on: of another origin than the audio, as a page that somebody wrote himself."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>listening</title>")

    def log_message(self, *_):
        pass


class Browser:
    def __init__(self, folder):
        self.port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.wait()
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--autoplay-policy=no-user-gesture-required",
            f"--user-data-dir={folder}",
        ]
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {
            "binary": "/usr/bin/chromium", "args": arguments}}}}
        self.session = self.ask("POST", "/session", wanted)["sessionId"]
        self.ask("POST", f"/session/{self.session}/timeouts", {"script": 30000 + int(HOLD * 1000)})

    def wait(self):
        for _ in range(300):
            try:
                self.ask("GET", "/status")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("chromedriver did not start")

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=data, method=method,
            headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=120 + HOLD) as answer:
            return json.load(answer)["value"]

    def play(self, url):
        return self.ask(
            "POST", f"/session/{self.session}/execute/async", {"script": PLAY, "args": [url, HOLD]})

    def visit(self, url):
        self.ask("POST", f"/session/{self.session}/url", {"url": url})

    def close(self):
        try:
            self.ask("DELETE", f"/session/{self.session}")
        finally:
            os.killpg(self.driver.pid, signal.SIGTERM)
            self.driver.wait(10)


def main():
    rounds, urls = int(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="aircheck-browser-", ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            page = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
            threading.Thread(target=page.serve_forever, daemon=True).start()
            browser.visit(f"http://127.0.0.1:{page.server_port}/")
            if not HOLD:
                browser.play(urls[0])  # the first one starts the browser's audio process
            for url in urls:
                results = [browser.play(url) for _ in range(rounds)]
                print(json.dumps({"url": url, "results": results}), flush=True)
        finally:
            browser.close()


if __name__ == "__main__":
    main()

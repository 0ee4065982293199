"""Captions by a real recogniser: speech on the air, a recording, the hook, the page. Takes a minute: AIRCHECK_TESTS=all."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from support import PASSWORD, TOP, Page, World, chromium, eventually, needs

SAID = "The morning news begins at seven. Heavy rain is expected in the north this evening. The president will visit the city tomorrow."
IS_LONG = os.environ.get("AIRCHECK_TESTS") == "all"


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
@unittest.skipUnless(IS_LONG, "long: AIRCHECK_TESTS=all runs it")
@unittest.skipUnless(importlib.util.find_spec("pocketsphinx"), "no recogniser: scripts/test-web installs one where AIRCHECK_TESTS=all")
class Captions(unittest.TestCase):
    def test_words_on_the_air_are_words_on_the_page(self):
        hook = f'[hooks]\nfinished = ["{sys.executable}", "{TOP}/scripts/captions-pocketsphinx"]\n'
        world = World(settings=hook)
        self.addCleanup(world.close)
        speech = world.folder / "speech.mp3"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"flite=voice=slt:text='{SAID}'", "-ac", "2", "-ar", "44100", "-b:a", "128k", str(speech)], check=True)
        world.programs.start("speech", ["ffmpeg", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", str(speech), "-c", "copy", "-f", "mp3", "-content_type", "audio/mpeg", f"icecast://source:{PASSWORD}@127.0.0.1:{world.icecast.port}/speech"])
        self.assertTrue(eventually(lambda: world.icecast.is_on("speech"), within=15))
        call = world.service.call
        call("POST", "/api/v1/stations", {"urls": [f"http://127.0.0.1:{world.icecast.port}/speech"], "id": "speech", "name": "Speech"})
        id = call("POST", "/api/v1/recordings", {"station": "speech", "seconds": 20})["id"]
        self.assertTrue(eventually(lambda: call("GET", f"/api/v1/recordings/{id}")["state"] == "finished", within=60, step=0.5))
        captions = pathlib.Path(call("GET", f"/api/v1/recordings/{id}")["path"]).with_suffix(".vtt")
        self.assertTrue(eventually(captions.exists, within=60, step=0.5), "the hook wrote nothing")
        text = captions.read_text()
        right = [word for word in ("morning", "news", "expected", "north", "evening", "president", "visit", "city", "tomorrow") if f">{word}" in text]
        print(f"\n  {len(right)} of 9 words were understood")
        self.assertGreaterEqual(len(right), 6, text)

        browser = chromium()
        self.addCleanup(browser.quit)
        page = Page(browser, world.service).open("/recordings")
        page.module(f"const {{kept}} = s; kept.set('captions', true); const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 0); s.set('full', true);")
        seen = set()
        end = time.monotonic() + 18
        while time.monotonic() < end and not {"president", "tomorrow"} <= seen:
            word = page.run("return document.querySelector('recording-player .captions .active')?.textContent.trim() ?? ''")
            seen.add(word)
            time.sleep(0.05)
        self.assertGreaterEqual(len(seen & set(right)), 4, f"words that were marked while they were said: {sorted(seen)}")


if __name__ == "__main__":
    unittest.main(verbosity=2)

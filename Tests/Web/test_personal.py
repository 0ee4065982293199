"""Personal: UI-P1 to UI-P5; effects (UI-C6), and where the sound goes, proved by captured signal."""
import array
import contextlib
import http.server
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
import zlib

from support import Page, Programs, SoundServer, WebCase, World, chromium, eventually, free_port, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")


def png(red, green, blue, size=32):
    """A picture of one colour, made by hand."""
    row = b"\0" + bytes((red, green, blue)) * size
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(row * size)) + chunk(b"IEND", b"")


class Pictures:
    """A little server of pictures, some of which are none."""

    def __init__(self, folder, programs):
        self.port = free_port()
        self.folder = folder / "pictures"
        self.folder.mkdir()
        (self.folder / "blue.png").write_bytes(png(30, 90, 230))
        (self.folder / "yellow.png").write_bytes(png(250, 220, 40))
        (self.folder / "grey.png").write_bytes(png(200, 200, 200))
        (self.folder / "evil.png").write_text("<html><script>alert(1)</script>")
        (self.folder / "evil.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
        programs.start("pictures", ["python3", "-m", "http.server", "--bind", "127.0.0.1", str(self.port), "--directory", str(self.folder)])


class TellingStation:
    """A station whose titles tell of pictures, as a Shoutcast server's StreamUrl does; Icecast passes none on."""

    interval = 8192

    def __init__(self, folder):
        path = folder / "tone.mp3"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=500:sample_rate=44100:duration=20", "-ac", "2", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3", str(path)], check=True)
        self.audio, self.words = path.read_bytes(), ""
        station = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                for name, value in (("Content-Type", "audio/mpeg"), ("icy-br", "128"), ("icy-metaint", str(station.interval))):
                    self.send_header(name, value)
                self.end_headers()
                place, said = 0, None
                with contextlib.suppress(OSError):
                    while True:
                        part = (station.audio[place:] + station.audio)[: station.interval]
                        place = (place + station.interval) % len(station.audio)
                        words = station.words.encode() if station.words != said else b""
                        said = station.words
                        blocks = -(-len(words) // 16)
                        self.wfile.write(part + bytes([blocks]) + words.ljust(blocks * 16, b"\0"))
                        time.sleep(station.interval / 16000)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def title(self, text, picture):
        self.words = f"StreamTitle='{text}';StreamUrl='{picture}';"


@WEB
class Personal(WebCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-pictures-"))
        programs = Programs(folder)
        cls.addClassCleanup(shutil.rmtree, folder, True)
        cls.addClassCleanup(programs.stop_all)
        cls.pictures = pictures = Pictures(folder, programs)
        port = free_port()
        more = "".join(f'\n[[station]]\nid = "{name}"\nname = "{name.title()} FM"\nurls = ["http://127.0.0.1:{port}/x"]\nlogo = "http://127.0.0.1:{pictures.port}/{file}"\nlocal = true\n' for name, file in (("blue", "blue.png"), ("yellow", "yellow.png"), ("grey", "grey.png"), ("evil", "evil.png"), ("vector", "evil.svg")))
        cls.world = World(more_stations=more)
        cls.addClassCleanup(cls.world.close)
        cls.service, cls.icecast = cls.world.service, cls.world.icecast
        cls.browser = chromium(cls.width, cls.height)
        cls.addClassCleanup(cls.browser.quit)
        cls.page = Page(cls.browser, cls.service).open()

    def tune(self, id="nightwave"):
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); const list = await Promise.all(['nightwave', 'harbour', 'kestrel', {id!r}].map((each) => api.get('stations/' + each))); p.player.tune(list.find((each) => each.id === {id!r}), {{name: 'Test list', stations: list.slice(0, 3)}}); s.set('full', true);")
        self.page.until("return document.querySelector('live-player .call-sign')")

    def heard(self, title):
        self.icecast.title("nightwave", title)
        self.page.until("return document.querySelector('live-player .now-airing').textContent === arguments[0]", title.split(" - ")[1], within=12)

    def test_UI_P1_thumbs(self):
        self.tune()
        self.heard("Ella Marlowe - Blue Lantern")
        look = "const up = document.querySelector('.thumb.up'), down = document.querySelector('.thumb.down'); return {solid: up.querySelector('svg').classList.contains('solid'), pressed: up.getAttribute('aria-pressed'), colour: getComputedStyle(up).color, downSolid: down.querySelector('svg').classList.contains('solid'), downPressed: down.getAttribute('aria-pressed'), names: [up.getAttribute('aria-label'), down.getAttribute('aria-label')]}"
        before = self.page.run(look)
        self.assertEqual(before["names"], ["Thumb up: shapes your dial", "Thumb down: leaves this station"])
        self.page.click(".thumb.up")
        self.page.until("return document.querySelector('.thumb.up').getAttribute('aria-pressed') === 'true'")
        after = self.page.run(look)
        self.assertTrue(after["solid"])
        self.page.until("return getComputedStyle(document.querySelector('.thumb.up')).color === 'rgb(228, 10, 93)'")
        stored = self.service.get("/api/v1/thumbs")["thumbs"][0]
        self.assertEqual((stored["direction"], stored["artist"], stored["title"], stored["station"]), ("up", "Ella Marlowe", "Blue Lantern", "nightwave"))
        self.assertRegex(stored["at"], r"^20\d\d-")
        self.page.click(".thumb.up")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/thumbs")["thumbs"] == []), "it does not toggle off")
        self.page.click(".thumb.down")
        self.page.until("return document.querySelector('live-player .call-sign').textContent === 'Harbour Radio'")
        self.assertEqual(self.service.get("/api/v1/thumbs")["thumbs"][0]["direction"], "down")
        self.page.click("live-player [aria-label='Previous station']")
        self.page.until("return document.querySelector('.thumb.down').getAttribute('aria-pressed') === 'true'", within=12)
        self.assertFalse(self.page.run(look)["downSolid"], "down is an outline only")

    def test_UI_P2_ground_from_the_picture(self):
        for id, channel in (("blue", 2), ("yellow", 0)):
            self.tune(id)
            ground = self.page.until("const ground = document.querySelector('full-player').style.getPropertyValue('--ground'); return ground.startsWith('rgb') && document.querySelector('live-player .call-sign').textContent.startsWith(arguments[0]) && ground.match(/\\d+/g).map(Number)", id.title())
            self.assertEqual(max(range(3), key=lambda index: ground[index]), channel, ground)
            contrast = self.page.wait("const colour = arguments[0]; import('/player/core/artwork.js').then((a) => done(a.contrast(colour, [255, 255, 255])))".replace("arguments[0]", str(ground)))
            self.assertGreaterEqual(contrast, 4.5)
            time.sleep(0.5)
        # From one colour to the other there is no cut: half-way is a colour that is neither.
        found = self.page.crossing("full-player", "--ground", "import('/player/core/api.js').then(({api}) => api.get('stations/blue')).then((station) => import('/player/core/player.js').then((p) => p.player.tune(station, null)));")
        self.assertTrue(found, "the colours are cut")
        self.assertEqual(len({found["before"], found["half"], found["after"]}), 3, found)
        painted = self.page.run("return document.querySelector('full-player').style.getPropertyValue('--ground')")
        self.assertEqual(re.findall(r"\d+", found["after"]), re.findall(r"\d+", painted))
        self.assertLess(found["duration"], 700)
        self.tune("blue")
        # What lies on the top of it is read: the small words there are white.
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('live-player .overline')).color"), "rgb(255, 255, 255)")
        # A grey picture has a grey ground, and where there is no picture nothing of the last one is left.
        self.tune("grey")
        self.page.until("const ground = document.querySelector('full-player').style.getPropertyValue('--ground').match(/\\d+/g)?.map(Number); return ground && new Set(ground).size === 1 && document.querySelector('live-player .call-sign').textContent.startsWith('Grey')")
        for id in ("blue", "evil", "blue", "nightwave"):
            self.tune(id)
            self.page.until("const ground = document.querySelector('full-player').style.getPropertyValue('--ground'); return arguments[0] === ground.startsWith('rgb')", id == "blue", within=30)
        # On the light page the words are dark, and the ground is light.
        words = self.page.wait("import('/player/core/artwork.js').then((a) => done([[30, 90, 230], [250, 220, 40], [10, 10, 10]].map((colour) => [[255, 255, 255], [30, 18, 22]].map((words) => a.contrast(a.readable(colour, words), words)))))")
        self.assertTrue(all(contrast >= 4.5 for pair in words for contrast in pair), words)
        self.tune("blue")
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('.tile.large img')).filter"), "none", "the picture itself is never tinted")

    def recording(self, station, show):
        """A finished one of a station that has a picture now."""
        id = self.service.call("POST", "/api/v1/recordings", {"station": station, "show": show, "seconds": 6})["id"]
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=30))
        return id

    def test_UI_C7_a_show_has_the_picture_and_the_colour_of_its_station_and_no_other_has(self):
        for station, file in (("nightwave", "blue.png"), ("kestrel", "yellow.png")):
            self.service.call("PUT", f"/api/v1/stations/{station}/settings", {"logo": f"http://127.0.0.1:{self.pictures.port}/{file}"})
            self.addCleanup(self.service.call, "DELETE", f"/api/v1/stations/{station}/settings")
        blue, plain, talk = (self.recording(*each) for each in (("nightwave", "Late Set"), ("harbour", "Harbour Hour"), ("kestrel", "The Desk")))
        for id in (blue, plain, talk):
            self.addCleanup(self.service.call, "DELETE", f"/api/v1/recordings/{id}")
        self.page.open("/recordings", pair=None)
        picture = "{part}.querySelector('.tile').classList.contains('has-art')"
        row = lambda id: f"[...document.querySelectorAll('recording-row')].find((row) => row.recording.id === '{id}')"
        tile = lambda name: f"[...document.querySelectorAll('.show-tile')].find((tile) => tile.textContent.includes('{name}'))"
        for part in (row(blue), tile("Late Set"), row(talk)):
            self.page.until("return " + picture.format(part=part), within=20)
        self.assertFalse(self.page.run("return " + picture.format(part=row(plain))))
        tint = lambda part: f"getComputedStyle({part}).getPropertyValue('--tint')"
        is_blue = "const [r, g, b] = {0}.match(/\\d+/g).map(Number); return b > r + 60"
        grey, orange = "rgb(184, 160, 168)", "rgb(255, 153, 0)"
        listen = lambda id: self.page.module(f"const {{api}} = await import('/player/core/api.js'); const {{recordings}} = await api.get('recordings'); p.player.listen(recordings.find((each) => each.id === '{id}'), 0); s.set('full', true);")
        listen(blue)
        for part in ("document.querySelector('full-player')", "document.querySelector('mini-player')", row(blue), tile("Late Set")):
            self.page.until(is_blue.format(tint(part)))
        for part in ("document.querySelector('mini-player')", "document.querySelector('.cover')"):
            self.page.until("return " + picture.format(part=part))
        for show, has_own in (("Late Set", True), ("Harbour Hour", False)):
            feed = urllib.request.urlopen(f"{self.service.address}/api/v1/feeds/show%3A{show.replace(' ', '%20')}.xml").read().decode()
            image = re.search(r'<itunes:image href="([^"]+)"', feed).group(1)
            self.assertEqual(image.endswith("/api/v1/stations/nightwave/artwork"), has_own, image)
            self.assertEqual(urllib.request.urlopen(image).headers["Content-Type"], "image/png")
        # What is left to hear stands under the controls.
        self.page.until("return /left$/.test(document.querySelector('recording-player p.rest').textContent) && document.querySelector('recording-player p.rest').offsetHeight > 10")
        for part in (row(plain), tile("Harbour Hour"), "document.querySelector('main')"):
            self.assertEqual(self.page.run("return " + tint(part)), grey)
        # Talk is orange, whatever its picture, and so are its bar and its sheets.
        listen(talk)
        self.page.module("s.set('sheet', {name: 'speed'});")
        for part in ("document.querySelector('full-player')", "document.querySelector('mini-player')", "document.querySelector('.speed-value')"):
            self.page.until(f"return {tint(part)} === arguments[0]", orange)
        self.page.module("s.set('sheet', null);")
        listen(plain)
        for part in ("document.querySelector('full-player')", "document.querySelector('mini-player')"):
            self.page.until(f"return {tint(part)} === arguments[0]", grey)

    def test_pictures_of_strangers_are_pictures_or_nothing(self):
        import urllib.error
        import urllib.request
        answer = urllib.request.urlopen(self.service.address + "/api/v1/stations/blue/artwork")
        self.assertEqual((answer.headers["Content-Type"], answer.headers["X-Content-Type-Options"]), ("image/png", "nosniff"))
        self.assertIn("sandbox", answer.headers["Content-Security-Policy"])
        for id in ("evil", "vector", "nightwave"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(self.service.address + f"/api/v1/stations/{id}/artwork")
            self.assertEqual(refused.exception.code, 404)

    def test_UI_L5_the_picture_that_a_title_tells_of(self):
        """A title with a picture's address: the service fetches it, the page shows it, and the next title takes it away."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-telling-"))
        self.addCleanup(shutil.rmtree, folder, True)
        station = TellingStation(folder)
        self.addCleanup(station.server.shutdown)
        self.service.call("POST", "/api/v1/stations", {"urls": [f"http://127.0.0.1:{station.port}/"], "id": "telling", "name": "Telling"})
        station.title("Ada Fenn - With A Picture", f"http://127.0.0.1:{self.pictures.port}/blue.png")
        self.tune("telling")
        cover = "const image = document.querySelector('live-player .tile.large:not(.leaving) img.cover'); return image?.complete && image.naturalWidth"
        self.assertEqual(self.page.until(cover, within=20), 32)
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'With A Picture'")
        self.assertIn("/api/v1/stations/telling/artwork?now=", self.page.run("return document.querySelector('live-player img.cover').src"))
        station.title("Ada Fenn - Without One", f"http://127.0.0.1:{self.pictures.port}/none.png")
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'Without One' && !document.querySelector('live-player img.cover')", within=20)

    def test_UI_P3_bars_follow_the_signal(self):
        self.page.open("/radio", pair=None)
        self.tune()
        self.page.module("s.set('full', false);")
        bars = "const row = [...document.querySelectorAll('station-row')].find((each) => each.station.id === 'nightwave'); const bars = row.querySelector('eq-bars'); return bars?.hasAttribute('real') && {ground: getComputedStyle(row).backgroundColor, levels: [...bars.children].map((bar) => Number(bar.style.getPropertyValue('--level')))}"
        found = self.page.until(bars)
        self.assertTrue(eventually(lambda: self.page.run(bars)["ground"] == "rgb(42, 23, 29)"))
        self.assertEqual(len(found["levels"]), 4)
        # The tone is one of 440 Hz: the low bars are up, the high ones rest.
        time.sleep(1)
        low = self.page.run(bars)["levels"]
        self.assertGreater(low[0], 0.4)
        self.assertLess(low[3], 0.2)
        self.page.module("p.player.stop();")
        self.page.until("const row = [...document.querySelectorAll('station-row')].find((each) => each.station.id === 'nightwave'); return !row.querySelector('eq-bars') && !row.hasAttribute('playing')")

    def test_UI_P5_collection(self):
        self.tune()
        self.heard("Juniper Vale - Salt Market")
        self.page.click(".thumb.up")
        self.assertTrue(eventually(lambda: any(each["title"] == "Salt Market" for each in self.service.get("/api/v1/thumbs")["thumbs"])))
        id = self.service.call("POST", "/api/v1/recordings", {"station": "nightwave", "seconds": 8})["id"]
        eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=30)
        self.page.module("s.set('full', false);")
        self.page.open("/collection", pair=None)
        row = self.page.until("return [...document.querySelectorAll('.collection li')].map((each) => each.innerText).find((text) => text.includes('Salt Market'))")
        self.assertIn("Juniper Vale · Night Wave", row)
        self.assertIn("Play the recording", row)
        self.page.run("[...document.querySelectorAll('.collection button')].find((each) => each.textContent === 'Play the recording').click()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')")


@WEB
class Effects(WebCase):
    def test_UI_C6_trim_and_boost(self):
        """Five seconds of tone, five of silence: what is trimmed is really skipped, and counted."""
        words = ["ffmpeg", "-loglevel", "error", "-re", "-f", "lavfi", "-i", "aevalsrc='if(lt(mod(t,10),5),0.2*sin(2*PI*500*t),0)':s=44100:c=stereo", "-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp3", "-content_type", "audio/mpeg", f"icecast://source:hackme-not@127.0.0.1:{self.icecast.port}/gaps"]
        self.world.programs.start("gaps", words)
        eventually(lambda: self.icecast.is_on("gaps"), within=15)
        self.service.call("POST", "/api/v1/stations", {"urls": [f"http://127.0.0.1:{self.icecast.port}/gaps"], "id": "gaps", "name": "Gaps"})
        id = self.service.call("POST", "/api/v1/recordings", {"station": "gaps", "seconds": 24})["id"]
        detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
        self.assertTrue(eventually(lambda: detail()["state"] == "finished" and detail().get("silences"), within=60, step=0.5), "no silence was measured")
        silences = detail()["silences"]
        silent = sum(end - start for start, end in silences)
        self.page.module("const {kept} = await import('/player/core/store.js'); kept.set('effects', {trim: 'max', boost: false});")
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 0); window.begun = performance.now();")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused' && s.get('player').position > 10)", within=40)
        took = self.page.run("return (performance.now() - window.begun) / 1000")
        total = detail()["seconds"]
        print(f"\n  {total:.1f} s with {silent:.1f} s of silence took {took:.1f} s")
        self.assertLess(took, total - silent * 0.7)
        self.page.run("return import('/player/core/player.js').then((p) => dispatchEvent(new Event('pagehide')))")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/stats")["trim_seconds"] > silent * 0.6), self.service.get("/api/v1/stats"))
        # Boost: the same place, louder in the graph.
        level = "return p.signal()?.reduce((sum, each) => sum + each, 0) ?? 0;"
        self.page.module(f"const {{kept}} = await import('/player/core/store.js'); kept.set('effects', {{trim: 'off', boost: false}}); const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), {silences[0][1] + 0.5});")
        time.sleep(1.5)
        plain = self.page.module(level)
        self.page.module("p.player.effects({trim: 'off', boost: true});")
        time.sleep(1.0)
        boosted = self.page.module(level)
        print(f"  level {plain:.2f}, boosted {boosted:.2f}")
        self.assertGreater(boosted, plain * 1.02)
        self.page.module("p.player.effects({trim: 'off', boost: false}); s.set('sheet', {name: 'effects'});")
        self.page.until("return document.querySelectorAll('dialog .toggle').length === 2")


def capture(environment, seconds=1.5, sink="test"):
    """What sounds behind the sound server, mono at 44100; the beginning is left out."""
    program = subprocess.Popen(["parec", "-d", f"{sink}.monitor", "--format=s16le", "--rate=44100", "--channels=1", "--latency-msec=50"], env={**os.environ, **environment}, stdout=subprocess.PIPE)
    time.sleep(seconds)
    program.terminate()
    data = program.stdout.read()
    program.wait(5)
    program.stdout.close()
    samples = array.array("h", data[: len(data) // 2 * 2])
    return samples[len(samples) // 3:]


def loudness(samples):
    return math.sqrt(sum(each * each for each in samples) / max(1, len(samples)))


def tone(samples, rate=44100):
    """The tone of a mono signal, by its crossings of zero."""
    crossings = sum(1 for one, two in zip(samples, samples[1:]) if one < 0 <= two)
    return crossings / (len(samples) / rate)


@needs("chromium", "chromedriver", "icecast2", "ffmpeg", "pulseaudio", "parec", "pactl")
class Sound(unittest.TestCase):
    """What is really heard, captured behind a sound server: here in the browser, there at the service."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-sound-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.programs = Programs(cls.folder)
        cls.addClassCleanup(cls.programs.stop_all)
        cls.sound = SoundServer(cls.programs, cls.folder).environment
        cls.world = World(environment=cls.sound)
        cls.addClassCleanup(cls.world.close)
        cls.browser = chromium(environment=cls.sound)
        cls.addClassCleanup(cls.browser.quit)
        cls.page = Page(cls.browser, cls.world.service).open()

    def capture(self, seconds=1.5):
        return capture(self.sound, seconds)

    def test_here_and_there_sound_and_stop(self):
        module = self.page.module
        module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, {name: 'x', stations: [{id: 'nightwave', name: 'Night Wave'}, {id: 'harbour', name: 'Harbour Radio'}]});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        # A busy machine opens an output late and with a gap; what it settles on counts.
        sounds = lambda hertz: self.assertTrue(eventually(lambda: abs(tone(self.capture()) - hertz) < 15, within=12), f"it is no tone of {hertz} Hz")
        falls_silent = lambda: self.assertTrue(eventually(lambda: loudness(self.capture()) < 20, within=8), "it sounds on")
        sounds(440)
        here = self.capture()
        print(f"\n  here: {tone(here):.0f} Hz, loudness {loudness(here):.0f}")
        self.assertGreater(loudness(here), 300)
        module("p.player.next();")
        sounds(660)
        module("p.player.stop();")
        falls_silent()
        module("p.player.setWhere('there'); p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').where === 'there' && s.get('player').phase === 'live')", within=20)
        self.assertEqual(self.world.service.get("/api/v1/player")["station"]["id"], "nightwave")
        sounds(440)
        there = self.capture()
        print(f"  there: {tone(there):.0f} Hz, loudness {loudness(there):.0f}")
        # Another device follows.
        self.world.service.call("POST", "/api/v1/player/stop")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')")
        falls_silent()
        module("p.player.setWhere('here');")

    def test_UI_A4_sleep_there_is_called_off_from_the_page(self):
        module, call = self.page.module, self.world.service.call
        asleep = lambda: call("GET", "/api/v1/player").get("sleep_seconds")
        module("p.player.setWhere('there'); p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        try:
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').where === 'there' && s.get('player').phase === 'live')", within=20)
            # Set on another device: it is known here, and can be called off.
            call("PUT", "/api/v1/player/sleep", {"seconds": 900})
            self.page.open("/radio", pair=None)
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').sleep)")
            self.assertTrue(asleep())
            module("s.set('sheet', {name: 'sleep'});")
            off = "[...document.querySelectorAll('dialog[data-sheet=sleep] .chip')].find((each) => each.textContent === 'Off')"
            self.page.until("return " + off)
            self.page.run(off + ".click()")
            self.assertTrue(eventually(lambda: not asleep()), "it still goes to sleep")
            self.page.until("return import('/player/core/store.js').then((s) => !s.get('player').sleep)")
        finally:
            module("s.set('sheet', null); p.player.close(); p.player.setWhere('here');")

    def test_UI_A4_the_end_of_the_chapter_there_and_the_hours_of_it(self):
        """A place and no time: whoever seeks and goes faster meanwhile still falls asleep there; and the service counts what it played."""
        call, module = self.world.service.call, self.page.module
        id = call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 24, "show": "Chapters"})["id"]
        time.sleep(3)
        self.world.icecast.title("harbour", "Ella Marlowe - First")
        time.sleep(9)
        self.world.icecast.title("harbour", "Ada Fenn - Second")
        self.assertTrue(eventually(lambda: call("GET", f"/api/v1/recordings/{id}")["state"] == "finished", within=60))
        there = lambda: call("GET", "/api/v1/player")
        before = call("GET", "/api/v1/stats")
        begun = time.monotonic()
        module("p.player.setWhere('there');")
        try:
            module(f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 4); s.set('full', true);")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing' && s.get('chapter')?.title === 'First')", within=20)
            playing = time.monotonic()
            module("s.set('sheet', {name: 'sleep'});")
            chip = "[...document.querySelectorAll('dialog[data-sheet=sleep] .chip')].find((each) => each.textContent === 'End of chapter')"
            self.page.until("return " + chip)
            end = module("return s.get('chapter-end');")
            self.page.run(chip + ".click()")
            self.assertTrue(eventually(lambda: there()["sleep_at"]))
            self.assertAlmostEqual(there()["sleep_at"], end, delta=0.01)
            self.assertIsNone(there()["sleep_seconds"])
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').sleep?.chapter)")
            time.sleep(2)
            faster = time.monotonic()
            module(f"p.player.setSpeed(2); p.player.seek({end - 3});")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused')", within=8)
            self.assertEqual(there()["state"], "stopped")
            self.assertAlmostEqual(there()["recording"]["position"], end, delta=0.7)
            self.page.until("return import('/player/core/store.js').then((s) => !s.get('player').sleep)")
            asleep = time.monotonic()
            after = call("GET", "/api/v1/stats")
            heard, saved = (after[key] - before[key] for key in ("recorded_seconds", "speed_seconds"))
            station = lambda stats: next((each["seconds"] for each in stats["stations"] if each["id"] == "harbour"), 0)
            print(f"\n  the service counted {heard:.1f} s of the recording, {saved:.1f} s saved by speed")
            # By this clock: what surely sounded at least, at most all of the time; and of the last three seconds half.
            self.assertTrue(faster - playing <= heard <= asleep - begun, (heard, faster - playing, asleep - begun))
            self.assertTrue(1 < saved <= asleep - faster, (saved, asleep - faster))
            self.assertAlmostEqual(station(after) - station(before), heard, delta=0.2)
            self.assertIn("Ella Marlowe", [each["name"] for each in after["artists"]])
            # Live there is counted too.
            module("p.player.setSpeed(1); p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')", within=20)
            # Each answer counts up to a moment between the question and itself.
            clock, counted = [], []
            for wait in (3, 0):
                clock.append(time.monotonic())
                counted.append(call("GET", "/api/v1/stats")["live_seconds"])
                clock.append(time.monotonic())
                time.sleep(wait)
            self.assertTrue(clock[2] - clock[1] <= counted[1] - counted[0] <= clock[3] - clock[0], (clock, counted))
        finally:
            module("p.player.setSpeed(1);")
            self.page.clear()

    def test_UI_S7_the_output_of_the_service_is_chosen(self):
        """Of two sinks the service sounds on the one that is chosen on the page, at once, and after a restart."""
        subprocess.run(["pactl", "load-module", "module-null-sink", "sink_name=kitchen", "rate=44100", "sink_properties=device.description=Kitchen"], env={**os.environ, **self.sound}, check=True, stdout=subprocess.DEVNULL)
        call, module = self.world.service.call, self.page.module
        sounds = lambda sink: loudness(capture(self.sound, 1, sink))
        module("p.player.setWhere('there'); p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        try:
            self.assertTrue(eventually(lambda: sounds("test") > 300, within=20))
            self.assertLess(sounds("kitchen"), 20)
            self.page.open("/settings", pair=None)
            options = self.page.until("return [...document.querySelectorAll('main [name=output] option')].map((each) => each.textContent)")
            self.assertIn("Kitchen", options)
            self.page.run("const choose = document.querySelector('main [name=output]'); choose.value = 'kitchen'; choose.dispatchEvent(new Event('change'))")
            self.assertTrue(eventually(lambda: sounds("kitchen") > 300 and sounds("test") < 20, within=15))
            self.assertEqual(call("GET", "/api/v1/player")["output"], "kitchen")
            self.world.service.stop()
            self.world.service.start()
            self.assertTrue(eventually(lambda: sounds("kitchen") > 300, within=30))
            call("PUT", "/api/v1/player/output", {"name": None})
            self.assertTrue(eventually(lambda: sounds("test") > 300 and sounds("kitchen") < 20, within=15))
        finally:
            call("PUT", "/api/v1/player/output", {"name": None})
            call("POST", "/api/v1/player/stop")
            self.page.open("/", pair=None)
            module("p.player.close(); p.player.setWhere('here');")

    def test_a_recording_sounds_there(self):
        """With the sound there a recording is played, paused, sought and sped up at the service; the page shows all of it."""
        call, module = self.world.service.call, self.page.module
        id = call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 20, "show": "Kept"})["id"]
        self.assertTrue(eventually(lambda: call("GET", f"/api/v1/recordings/{id}")["state"] == "finished", within=60))
        phase = "return import('/player/core/store.js').then((s) => s.get('player').where === 'there' && s.get('player').phase === arguments[0])"
        there = lambda: call("GET", "/api/v1/player")
        module("p.player.setWhere('there');")
        try:
            self.page.open("/recordings", pair=None)
            self.page.until("return document.querySelector('recording-row play-cell')")
            cell = f"[...document.querySelectorAll('recording-row')].find((row) => row.recording.id === '{id}').querySelector('play-cell')"
            self.page.run(f"{cell}.querySelector('button').click()")
            self.page.until(phase, "playing", within=20)
            time.sleep(2)
            heard = self.capture()
            print(f"\n  there: {tone(heard):.0f} Hz, loudness {loudness(heard):.0f}")
            self.assertAlmostEqual(tone(heard), 660, delta=20)
            self.assertEqual(there()["recording"]["id"], id)
            self.assertEqual(module("return p.elements.recorded.getAttribute('src');"), None, "nothing sounds here")
            self.assertLess(abs(module("return p.position();") - there()["recording"]["position"]), 1.0)
            self.page.until(f"return /^0:0[2-9]/.test({cell}.querySelector('.timer').textContent)")
            module("p.player.seek(12);")
            self.assertTrue(eventually(lambda: 11.5 <= there()["recording"]["position"] < 15))
            self.page.click("mini-player .mini-main")
            self.page.until(phase, "paused")
            self.assertEqual(there()["state"], "paused")
            time.sleep(0.8)
            self.assertLess(loudness(self.capture()), 20)
            at = module("return p.position();")
            time.sleep(1)
            self.assertAlmostEqual(module("return p.position();"), at, delta=0.05)
            module("p.player.setSpeed(1.5); p.player.skip(-6);")
            self.assertTrue(eventually(lambda: there()["recording"]["speed"] == 1.5 and abs(there()["recording"]["position"] - (at - 6)) < 0.5))
            self.page.click("mini-player .mini-main")
            self.page.until(phase, "playing")
            # Another device pauses it: the page follows.
            call("POST", "/api/v1/player/pause")
            self.page.until(phase, "paused")
            # Closed on the page, it is gone from the page, whatever stays loaded at the service.
            module("p.player.setSpeed(1); p.player.close();")
            self.page.until("return document.querySelector('mini-player').hidden")
            self.assertEqual(there()["state"], "stopped")
        finally:
            module("p.player.close(); p.player.setWhere('here');")


if __name__ == "__main__":
    unittest.main(verbosity=2)

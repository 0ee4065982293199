"""What the page's tests stand on: real stations (Icecast and ffmpeg), the real service, a real browser.

Everything lives in one temporary folder and on loopback; whatever is started here is stopped by its pid.
"""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as DriverService

TOP = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("AIRCHECK_BIN", TOP / ".build/debug/aircheck"))
PASSWORD = "hackme-not"


def free_port():
    with socket.socket() as probe:
        # Below the range that the kernel gives to outgoing connections, which would take it before we do.
        while True:
            try:
                port = random.randrange(20000, 32000)
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def eventually(check, within=10.0, step=0.05):
    """The first true answer of `check`; the last one where none came in time."""
    end = time.monotonic() + within
    while True:
        try:
            answer = check()
        except Exception as error:  # an answer may not be there yet
            answer = None
            last = error
        else:
            last = None
        if answer:
            return answer
        if time.monotonic() > end:
            if last:
                raise last
            return answer
        time.sleep(step)


class Programs:
    """Child programs, each ended by its own pid."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []

    def start(self, name, words, **more):
        with open(self.folder / f"{name}.log", "ab") as log:
            program = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **more)
        self.running.append(program)
        return program

    def stop(self, program, how=signal.SIGTERM):
        if program.poll() is None:
            program.send_signal(how)
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait(5)
        if program in self.running:
            self.running.remove(program)

    def stop_all(self):
        for program in reversed(list(self.running)):
            self.stop(program)


class SoundServer:
    """A PulseAudio of our own with a sink that nobody hears; `environment` leads programs to it."""

    def __init__(self, programs, folder):
        for name in ("sound-home", "sound-run"):
            (folder / name).mkdir(mode=0o700)
        home, run, socket_path = folder / "sound-home", folder / "sound-run", folder / "native"
        programs.start("pulse", ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "-L", f"module-native-protocol-unix socket={socket_path} auth-anonymous=1", "-L", "module-null-sink sink_name=test rate=44100"], env={**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(run)})
        self.environment = {"PULSE_SERVER": f"unix:{socket_path}", "HOME": str(home)}
        eventually(socket_path.exists)


class Icecast:
    """One Icecast with as many ffmpeg sources as a test wants; each a tone of its own."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder / "icecast"
        self.folder.mkdir(mode=0o755)
        (self.folder / "web").mkdir()
        self.sources = {}
        # A port that was free may be another program's when Icecast opens it.
        if not any(self.starts() for _ in range(4)):
            raise RuntimeError("Icecast did not start: " + (programs.folder / "icecast.log").read_text()[-1000:])

    def starts(self):
        self.port = free_port()
        config = self.folder / "icecast.xml"
        config.write_text(f"""<icecast><limits><clients>100</clients><sources>20</sources></limits>
<authentication><source-password>{PASSWORD}</source-password><admin-user>admin</admin-user><admin-password>{PASSWORD}</admin-password></authentication>
<hostname>127.0.0.1</hostname><listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
<paths><logdir>{self.folder}</logdir><webroot>{self.folder}/web</webroot><adminroot>{self.folder}/web</adminroot></paths>
<logging><errorlog>error.log</errorlog><accesslog>access.log</accesslog><loglevel>2</loglevel></logging></icecast>""")
        words = ["icecast2", "-c", str(config)]
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            words = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + words
        self.program = self.programs.start("icecast", words)

        def answers():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            connection.request("GET", "/")
            server = connection.getresponse().getheader("Server") or ""
            connection.close()
            return server.startswith("Icecast")

        with contextlib.suppress(OSError, http.client.HTTPException):
            eventually(lambda: self.program.poll() is not None or answers(), within=15)
        return self.program.poll() is None

    def source(self, mount, frequency=440, kilobits=128, codec="mp3", name=None, title=None):
        """`title` is in the stream itself, where its codec has a place for one."""
        coding = {"mp3": ["-c:a", "libmp3lame", "-f", "mp3", "-content_type", "audio/mpeg"], "opus": ["-c:a", "libopus", "-f", "ogg", "-content_type", "audio/ogg"]}[codec]
        words = ["ffmpeg", "-loglevel", "error", "-re", "-f", "lavfi", "-i", f"sine=frequency={frequency}:sample_rate=44100", "-ac", "2", "-b:a", f"{kilobits}k"] + (["-metadata", f"title={title}"] if title else []) + coding + ["-ice_name", name or mount, f"icecast://source:{PASSWORD}@127.0.0.1:{self.port}/{mount}"]
        self.sources[mount] = self.programs.start(f"source-{mount}", words)
        eventually(lambda: self.is_on(mount), within=15)

    def is_on(self, mount):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        connection.request("GET", f"/{mount}")
        answer = connection.getresponse()
        connection.close()
        return answer.status == 200

    def title(self, mount, text):
        """Sends a title as a station's software does."""
        query = urllib.parse.urlencode({"mode": "updinfo", "mount": f"/{mount}", "song": text, "charset": "UTF-8"})
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/admin/metadata?{query}")
        request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode())
        urllib.request.urlopen(request, timeout=5).read()

    def freeze(self, mount):
        self.sources[mount].send_signal(signal.SIGSTOP)

    def thaw(self, mount):
        self.sources[mount].send_signal(signal.SIGCONT)

    def listeners(self, mount):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/admin/listclients?mount=/{mount}")
        request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode())
        return urllib.request.urlopen(request, timeout=5).read().decode().count("<listener")


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.path)


class Aircheck:
    """The service of this build on folders of its own."""

    def __init__(self, programs, folder, stations, settings="", extra=(), environment=None, files=None):
        self.programs, self.folder, self.port = programs, folder / "service", free_port()
        for name in ["data", "config/aircheck/stations", "run", "state", "music", "cache"]:
            (self.folder / name).mkdir(parents=True, mode=0o700)
        (self.folder / "config/aircheck/aircheck.toml").write_text(f'[paths]\nrecordings = "{self.folder}/music"\nweb = "{TOP}/web"\n' + settings)
        (self.folder / "config/aircheck/stations/test.toml").write_text(stations)
        for name, text in (files or {}).items():
            (self.folder / "config/aircheck/stations" / name).write_text(text)
        self.environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": f"{self.folder}/data", "XDG_CONFIG_HOME": f"{self.folder}/config", "XDG_RUNTIME_DIR": f"{self.folder}/run", "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CACHE_HOME": f"{self.folder}/cache", "SWIFT_BACKTRACE": "enable=no", **(environment or {})}
        self.words = [str(BINARY), "serve", "--listen", f"127.0.0.1:{self.port}", *extra]
        self.start()

    def start(self):
        self.program = self.programs.start("aircheck", self.words, env=self.environment)
        ready = eventually(lambda: self.program.poll() is not None or urllib.request.urlopen(self.address + "/readyz", timeout=2).status == 200, within=30)
        if not ready or self.program.poll() is not None:
            raise RuntimeError("the service did not start: " + (self.programs.folder / "aircheck.log").read_text()[-2000:])

    def stop(self):
        self.programs.stop(self.program)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def call(self, method, path, body=None):
        """Asks on the control socket, where the kernel vouches for us."""
        connection = UnixConnection(f"{self.folder}/run/aircheck/control.sock")
        connection.request(method, path, None if method == "GET" else json.dumps(body or {}), {} if method == "GET" else {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text) if text else None

    def get(self, path):
        return self.call("GET", path)

    def code(self, role="admin"):
        return self.call("POST", "/api/v1/pairing", {"role": role})["code"]


def chromium(width=390, height=844, *, mobile=False, reduced=False, environment=None, arguments=(), traces=None):
    options = Options()
    options.binary_location = shutil.which("chromium") or "chromium"
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "--force-color-profile=srgb", f"--window-size={width},{height}", *arguments]:
        options.add_argument(word)
    if reduced:
        options.add_argument("--force-prefers-reduced-motion")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", **({"performance": "ALL"} if traces else {})})
    if traces:
        options.add_experimental_option("perfLoggingPrefs", {"traceCategories": traces, "enableNetwork": False, "enablePage": False})
    service = DriverService(shutil.which("chromedriver"), env={**os.environ, **(environment or {})})
    browser = webdriver.Chrome(options=options, service=service)
    browser.set_script_timeout(40)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
    return browser


class Page:
    """A browser on the page, with words for what tests ask."""

    def __init__(self, browser, service):
        self.browser, self.service = browser, service

    def open(self, path="/", *, pair="admin"):
        root = self.service.address + "/player"
        if pair:
            self.browser.get(root + "/#pair=" + self.service.code(pair))
            self.until("return document.querySelector('toast-host')?.textContent.includes('paired')")
            self.run("document.querySelector('toast-host button[aria-label=Dismiss]')?.click()")
        if path != "/" or not pair:
            self.browser.get(root + path)
        self.until("return document.querySelector('main h1') && !document.querySelector('main .loading')")
        return self

    def run(self, script, *values):
        return self.browser.execute_script(script, *values)

    def until(self, script, *values, within=10.0):
        answer = eventually(lambda: self.run(script, *values), within=within)
        if not answer:
            raise AssertionError(f"never true: {script}\nconsole: {self.console()}")
        return answer

    def still(self):
        """Until nothing moves but what always does: a click on what slides in would miss it."""
        self.until("return !document.getAnimations().some((each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity)")

    def wait(self, script, *values):
        """Runs an asynchronous script: it calls `done(value)`."""
        return self.browser.execute_async_script("const done = arguments[arguments.length - 1];" + script, *values)

    def click(self, selector):
        self.until("return document.querySelector(arguments[0])", selector)
        self.browser.find_element("css selector", selector).click()

    def module(self, body):
        """Runs code that has the player's module as `p` and the store's as `s`."""
        answer = self.wait("Promise.all([import('/player/core/player.js'), import('/player/core/store.js')]).then(async ([p, s]) => {" + body + "}).then(done, (error) => done('error: ' + error.stack));")
        if isinstance(answer, str) and answer.startswith("error: "):
            raise AssertionError(answer)
        return answer

    def clear(self):
        """Nothing plays, and nothing lies over the screen: what did leaves the history a moment later, and would take the next page with it."""
        self.module("s.set('sheet', null); s.set('full', false); p.player.close(); p.player.setWhere('here');")
        self.until("return !history.state?.layer")

    def state(self):
        return self.module("return JSON.parse(JSON.stringify(s.get('player')));")

    def console(self):
        return [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def crossing(self, element, property, change):
        """A change of a colour that is not a cut: its transition is held half-way and then let go, whatever the machine's pace.

        Answers the colours before, half-way and after, and how long it takes in milliseconds; None where there is none: a cut.
        """
        return self.wait("""
            const [selector, name] = arguments, element = document.querySelector(selector);
            const shown = () => getComputedStyle(element).getPropertyValue(name), before = shown();
            const run = (event) => {
              if (event.target !== element || event.propertyName !== name) return;
              element.removeEventListener('transitionrun', run);
              const transition = element.getAnimations().find((each) => each.transitionProperty === name);
              const { duration } = transition.effect.getComputedTiming();
              transition.pause();
              transition.currentTime = duration / 2;
              const half = shown();
              transition.finish();
              done({ before, half, after: shown(), duration });
            };
            element.addEventListener('transitionrun', run);
            setTimeout(() => done(null), 15000);
            """ + change, element, property)

    def downloads(self, test):
        """From now on what is downloaded goes into a folder of its own; answers how to list what has come whole."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-downloads-"))
        test.addCleanup(shutil.rmtree, folder, True)
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        return lambda: [each for each in folder.iterdir() if not each.name.endswith(".crdownload")]

    def media_keys(self, test):
        """From the next page on what the page does at a media key is in `window.handled`, by the action's name."""
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "window.handled = {}; const set = MediaSession.prototype.setActionHandler; MediaSession.prototype.setActionHandler = function (name, call) { window.handled[name] = call; return set.call(this, name, call); };"})
        test.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)

    def key(self, key):
        self.browser.switch_to.active_element.send_keys(key)


STATIONS = [
    ("nightwave", "Night Wave", "Jazz", "Berlin", "98.8 FM", 440),
    ("harbour", "Harbour Radio", "Pop", "Hamburg", None, 660),
    ("kestrel", "Kestrel 1010", "Talk", "Leeds", "1010 AM", 880),
]


def station_file(port, more=""):
    parts = []
    for id, name, genre, market, frequency, _ in STATIONS:
        parts.append(f'[[station]]\nid = "{id}"\nname = "{name}"\nurls = ["http://127.0.0.1:{port}/{id}"]\ngenre = "{genre}"\nmarket = "{market}"\ncountry = "DE"\nlocal = true\n' + (f'frequency = "{frequency}"\n' if frequency else ""))
    return "\n".join(parts) + more


class World:
    """Stations and a service, for a class of tests."""

    def __init__(self, more_stations="", settings="", **more):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-web-"))
        os.chmod(self.folder, 0o755)
        self.programs = Programs(self.folder)
        try:
            self.icecast = Icecast(self.programs, self.folder)
            for id, name, _, _, _, frequency in STATIONS:
                self.icecast.source(id, frequency, name=name)
            self.service = Aircheck(self.programs, self.folder, station_file(self.icecast.port, more_stations), settings, **more)
        except BaseException:
            self.close()
            raise

    def close(self):
        self.programs.stop_all()
        shutil.rmtree(self.folder, ignore_errors=True)


class WebCase(unittest.TestCase):
    """One world and one browser for a class of tests; a class says what it needs."""

    width, height = 390, 844
    reduced = False
    settings = ""
    #: More stations, in the words of a station file.
    stations = ""

    @classmethod
    def setUpClass(cls):
        cls.world = World(cls.stations, cls.settings)
        cls.addClassCleanup(cls.world.close)
        cls.service, cls.icecast = cls.world.service, cls.world.icecast
        cls.browser = chromium(cls.width, cls.height, reduced=cls.reduced)
        cls.addClassCleanup(cls.browser.quit)
        cls.page = Page(cls.browser, cls.service).open()

    def tearDown(self):
        with contextlib.suppress(Exception):
            self.page.clear()


def needs(*names):
    """Skips with its reason where a program is not there."""
    missing = [name for name in names if not shutil.which(name)]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")

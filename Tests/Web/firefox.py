"""A real Firefox, led over WebDriver BiDi: its own protocol over a WebSocket, so no driver program is needed.

`Firefox` has the few words of a Selenium browser that `support.Page` uses, and runs what it is given in the page's own realm.
"""
import json
import os
import pathlib
import shutil
import tempfile

import websocket

from support import Programs, eventually, free_port

PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "extensions.getAddons.cache.enabled": False,
    "remote.active-protocols": 1,
    "media.autoplay.default": 1,  # as it comes: sound waits for a click
}


class Element:
    def __init__(self, browser, node):
        self.browser, self.node = browser, node

    def click(self):
        origin = {"type": "element", "element": self.node}
        self.browser.act({"type": "pointer", "id": "mouse", "actions": [{"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})


class Focus:
    def __init__(self, browser):
        self.browser = browser

    def send_keys(self, text):
        self.browser.act({"type": "key", "id": "keys", "actions": [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]})


class Firefox:
    def __init__(self, width=390, height=844, environment=None, preferences=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-firefox-"))
        self.programs = Programs(self.folder)
        self.socket = None
        try:
            self.begin(width, height, environment, {**PREFERENCES, **(preferences or {})})
        except BaseException:
            self.close()
            raise

    def begin(self, width, height, environment, preferences):
        profile = self.folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        port = free_port()
        settings = {**os.environ, **(environment or {}), "HOME": str(self.folder), "MOZ_HEADLESS": "1", "MOZ_HEADLESS_WIDTH": str(width), "MOZ_HEADLESS_HEIGHT": str(height + 100)}
        self.program = self.programs.start("firefox", [shutil.which("firefox-esr") or "firefox", "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port), "--remote-allow-system-access", "about:blank"], env=settings)
        self.numbers = iter(range(1, 1 << 30))
        self.entries = []
        self.socket = eventually(lambda: websocket.create_connection(f"ws://127.0.0.1:{port}/session", timeout=60, suppress_origin=True), within=60, step=0.3)
        self.send("session.new", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        self.send("session.subscribe", {"events": ["log.entryAdded"]})
        self.context = self.send("browsingContext.getTree", {})["contexts"][0]["context"]
        self.send("browsingContext.activate", {"context": self.context})
        self.send("browsingContext.setViewport", {"context": self.context, "viewport": {"width": width, "height": height}})

    def take_focus(self):
        """Out of the address bar, where it stands when a page is opened, into the page: else no focus in it is shown, and Enter presses nothing."""
        window = self.send("browsingContext.getTree", {"moz:scope": "chrome"})["contexts"][0]["context"]
        self.send("script.callFunction", {"functionDeclaration": "() => gBrowser.selectedBrowser.focus()", "awaitPromise": True, "target": {"context": window}})

    def send(self, method, parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]
            if message.get("method") == "log.entryAdded":
                self.entries.append(message["params"])

    def get(self, address):
        self.send("browsingContext.navigate", {"context": self.context, "url": address, "wait": "complete"})
        self.take_focus()

    def execute_script(self, script, *values):
        """Runs the body of a function; what it gives, or what its promise gives, comes back as JSON."""
        body = f"async (text) => JSON.stringify((await (function () {{ {script}\n }}).apply(null, JSON.parse(text))) ?? null, (_, value) => value instanceof Node ? value.nodeName : value)"
        answer = self.send("script.callFunction", {"functionDeclaration": body, "awaitPromise": True, "target": {"context": self.context}, "arguments": [{"type": "string", "value": json.dumps(values)}], "userActivation": False})
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def execute_async_script(self, script, *values):
        return self.execute_script("const given = [...arguments]; return new Promise((resolve) => { (function () { " + script + "\n }).apply(null, [...given, resolve]); });", *values)

    def nodes(self, **locator):
        return self.send("browsingContext.locateNodes", {"context": self.context, "locator": locator})["nodes"]

    def find_element(self, _, selector):
        return Element(self, {"sharedId": self.nodes(type="css", value=selector)[0]["sharedId"]})

    def act(self, source):
        self.send("input.performActions", {"context": self.context, "actions": [source]})

    @property
    def switch_to(self):
        return self

    @property
    def active_element(self):
        return Focus(self)

    def get_log(self, _):
        found, self.entries = self.entries, []
        return [{"level": "SEVERE", "source": entry.get("type", ""), "message": entry.get("text", "")} for entry in found if entry.get("level") == "error"]

    def new_tab(self):
        return self.send("browsingContext.create", {"type": "tab"})["context"]

    def quit(self):
        try:
            self.send("browser.close", {})
            self.program.wait(10)
        except Exception:  # it is stopped below whatever it said
            pass
        self.close()

    def close(self):
        if self.socket:
            self.socket.close()
        self.programs.stop_all()
        shutil.rmtree(self.folder, ignore_errors=True)

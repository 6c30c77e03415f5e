"""A real Chromium for tests of pages: what it is started with, and what is asked of it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="chromium and chromium-driver are not installed"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
)  # fmt: skip
WATCH = """
window.__csp = []; window.__dialogs = 0;
document.addEventListener('securitypolicyviolation', e => window.__csp.push(e.violatedDirective));
window.alert = window.confirm = window.prompt = () => { window.__dialogs += 1; };
"""
SMUGGLED = "#injected,iframe,img,object,embed,base,u,main style,main script:not([type])"


@contextmanager
def open_browser(profile: Path) -> Iterator[Any]:
    """A driver that notes what a policy refuses and what scripts try."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=DRIVER)
    with webdriver.Chrome(options=options, service=service) as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        yield driver


def resize(driver: Any, width: int = 1280, scheme: str = "light") -> None:
    """As wide as a desk or a phone, light or dark."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def run(driver: Any, script: str, *given: Any) -> Any:
    """What a script returns in the page."""
    return driver.execute_script(script, *given)


def wait(driver: Any, script: str, expected: Any = True) -> None:
    """Until a script returns what is expected."""
    waiting = pytest.importorskip("selenium.webdriver.support.wait", reason="no selenium")
    waiting.WebDriverWait(driver, 60).until(lambda _: run(driver, script) == expected)


def assert_nothing_ran(driver: Any) -> None:
    """No script of a trace ran, and none of its markup became an element."""
    assert run(driver, "return window.__pwned") is None
    assert run(driver, "return window.__dialogs") == 0
    assert run(driver, "return window.__csp") == []
    assert run(driver, f"return document.querySelectorAll('{SMUGGLED}').length") == 0
    assert run(driver, "return getComputedStyle(document.body).display") == "block"

"""Takes screenshots of five states of the console, as PNG files with few colours to keep them small."""

import os
import struct
import sys
import zlib
from pathlib import Path

from console import Console
from playwright.sync_api import expect, sync_playwright
from serving import Service

MOST = 80_000


def sessions(console, service):
    for app, label in (("bank", "release 12"), ("delivery", "release 12"), ("rxflow-demo", "demo"), ("qiita", "")):
        service.session(app, **({"label": label} if label else {}))
    console.visit().use_key()
    expect(console.page.get_by_role("link", name="s").first).to_be_visible()


def session(console, service):
    facts = {"onBoarded": True, "isEnrolled": True, "isWide": True}
    created = console.open("bank", key=True, clock="manual", facts=facts, accessToken="t")
    console.page.get_by_role("button", name="Advance 1 s").click()
    console.visible("noAccount")
    service.act(created, {"step": "accountPicked", "params": {"accountId": "DE1"}})
    console.visible("account")


def definition(console, service):
    session(console, service)
    console.page.get_by_role("link", name="Definition").click()
    expect(console.page.locator("svg.graph g.screen.visible")).to_have_count(1)
    console.page.get_by_role("button", name="Session", exact=True).click()


def history(console, service):
    created = console.open("rxflow-demo", clock="manual")
    for step in ("userIsLoggedIn", "apiKeyIsConfirmed"):
        service.act(created, {"step": step})
    console.page.keyboard.press("r")
    console.revision(3)
    console.tab("History")
    console.page.locator("#entry-2 summary").click()


def phone(console, service):
    created = console.open("delivery")
    service.act(created, {"step": "restaurantPicked", "params": {"restaurantId": 7}})
    console.revision(2)


STATES = [
    ("sessions", sessions, {}),
    ("session-dark", session, {"color_scheme": "dark"}),
    ("definition", definition, {}),
    ("history", history, {"color_scheme": "dark"}),
    ("phone", phone, {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}),
]


def chunks(png):
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + length]
        at += 12 + length


def rows(png):
    """The pixels of a PNG with 8 bits per channel, row by row (PNG specification, section 9)."""
    parts = list(chunks(png))
    width, height, _, kind = struct.unpack(">IIBB", parts[0][1][:10])
    size = {2: 3, 6: 4}[kind]
    raw = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    above = bytearray(width * size)
    for number in range(height):
        start = number * (width * size + 1)
        how, row = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
        for at in range(len(row)):
            left = row[at - size] if at >= size else 0
            corner = above[at - size] if at >= size else 0
            if how == 1:
                row[at] = (row[at] + left) & 255
            elif how == 2:
                row[at] = (row[at] + above[at]) & 255
            elif how == 3:
                row[at] = (row[at] + (left + above[at]) // 2) & 255
            elif how == 4:
                guess = left + above[at] - corner
                near = min((abs(guess - left), 0, left), (abs(guess - above[at]), 1, above[at]), (abs(guess - corner), 2, corner))[2]
                row[at] = (row[at] + near) & 255
        yield [bytes(row[at:at + 3]) for at in range(0, len(row), size)]
        above = row


def small(png):
    """Returns the same picture with its 256 most frequent colours. Any other colour is replaced by the nearest of them.

    Colourful pixels count for more: a small green light matters more than many greys at the edge of a letter.
    """
    lines = list(rows(png))
    count = {}
    for line in lines:
        for colour in line:
            count[colour] = count.get(colour, 0) + 1
    palette = sorted(count, key=lambda colour: count[colour] * (10 + max(colour) - min(colour)), reverse=True)[:256]
    nearest = {colour: index for index, colour in enumerate(palette)}
    for colour in count:
        if colour not in nearest:
            nearest[colour] = min(range(len(palette)), key=lambda index: sum((one - other) ** 2 for one, other in zip(colour, palette[index])))
    body = zlib.compress(b"".join(b"\0" + bytes(nearest[colour] for colour in line) for line in lines), 9)
    head = struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", b"".join(palette)), (b"IDAT", body), (b"IEND", b"")]
    return png[:8] + b"".join(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    service = Service()
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else [])
            for name, show, options in STATES:
                page = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", **options}).new_page()
                show(Console(page, service), service)
                picture = small(page.screenshot())
                assert len(picture) < MOST, f"{name} has {len(picture)} bytes"
                (folder / f"{name}.png").write_bytes(picture)
                print(f"{name}.png: {len(picture)} bytes")
            browser.close()
    finally:
        service.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

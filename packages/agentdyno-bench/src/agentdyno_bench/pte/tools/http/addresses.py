"""Checks that an IP address belongs to the public internet.

Takes an address; returns why it must not be connected to, or None. Addresses that carry another
one (mapped, translated, tunnelled) are judged by both.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_SPECIAL_4 = {
    ip_network(network): what
    for network, what in {
        "0.0.0.0/8": "of this network",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "a carrier's shared one",
        "127.0.0.0/8": "loopback",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "for protocol assignments",
        "192.0.2.0/24": "for documentation",
        "192.31.196.0/24": "for AS112",
        "192.52.193.0/24": "for AMT",
        "192.88.99.0/24": "for relays of 6to4",
        "192.168.0.0/16": "private",
        "192.175.48.0/24": "for AS112",
        "198.18.0.0/15": "for benchmarks of networks",
        "198.51.100.0/24": "for documentation",
        "203.0.113.0/24": "for documentation",
        "224.0.0.0/4": "multicast",
        "233.252.0.0/24": "for documentation",
        "240.0.0.0/4": "reserved",
    }.items()
}
"""The registry of special-purpose addresses, kept here: Python's own view changes with its version
and calls some of them global (192.0.0.9, 192.0.0.192 in older ones)."""
# Public by number, but it answers inside a cloud only, with the machine's secrets.
_METADATA = {ip_address("168.63.129.16")}
_GLOBAL_UNICAST = ip_network("2000::/3")
_NOT_PUBLIC_6 = [
    ip_network(name)
    for name in (
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
        "5f00::/16",
    )
]
_CARRIERS = [ip_network(name) for name in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")]


def why_not_public(text: str) -> str | None:
    """Why an address is refused; None when it is public."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return "is not an IP address"
    if isinstance(address, IPv6Address):
        return _why_not_6(address)
    return _why_not_4(address)


def _why_not_4(address: IPv4Address) -> str | None:
    for name in ("loopback", "link_local", "multicast", "unspecified", "reserved", "private"):
        if getattr(address, f"is_{name}"):
            return f"is {name.replace('_', '-')}"
    for network, what in _SPECIAL_4.items():
        if address in network:
            return f"is {what}"
    if address in _METADATA:
        return "is a cloud's metadata service"
    # Among others the shared addresses of carriers, 100.64.0.0/10.
    return None if address.is_global else "is not public"


def _why_not_6(address: IPv6Address) -> str | None:
    carried = address.ipv4_mapped or _find_embedded(address)
    if carried is not None:
        return _why_not_4(carried) or "carries an IPv4 address"
    for name in ("loopback", "link_local", "multicast", "unspecified", "private"):
        if getattr(address, f"is_{name}"):
            return f"is {name.replace('_', '-')}"
    if address not in _GLOBAL_UNICAST or any(address in net for net in _NOT_PUBLIC_6):
        return "is not public"
    return None


def _find_embedded(address: IPv6Address) -> IPv4Address | None:
    if any(address in network for network in _CARRIERS) and int(address) > 1:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def literal_problem(host: str) -> str | None:
    """Why a host that is written as an address, in whichever way, is refused; None for names."""
    if ":" in host:
        return why_not_public(host)
    if host.rstrip(".").lower() == "localhost" or host.lower().endswith(".localhost"):
        return "is loopback"
    try:
        # Takes 127.1, 0x7f000001, 017700000001 and 2130706433, as the system's own lookup does.
        return why_not_public(socket.inet_ntoa(socket.inet_aton(host.rstrip("."))))
    except OSError:
        return None

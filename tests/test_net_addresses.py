"""Which addresses are public machines' and which are not, however they are written."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.net import is_public

INSIDE = (
    "127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255 "
    "240.0.0.1 192.0.2.1 198.18.0.1 :: ::1 fe80::1 fec0::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 "
    "::ffff:169.254.169.254 ::127.0.0.1 2002:7f00:1:: 2002:a9fe:a9fe::1 64:ff9b::7f00:1 64:ff9b:1::1 "
    "2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1"
)
OUTSIDE = "8.8.8.8 93.184.216.34 2606:4700:4700::1111 ::ffff:8.8.8.8 2002:808:808::1 64:ff9b::808:808"


@pytest.mark.parametrize("text", INSIDE.split())
def test_addresses_inside_are_not_public(text):
    """Loopback, private, link-local, metadata, shared, multicast, reserved, documentation, and IPv4 inside IPv6."""
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", OUTSIDE.split())
def test_addresses_outside_are_public(text):
    """Plain ones, and public IPv4 inside IPv6."""
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4))
def test_no_disguise_makes_an_address_public(address):
    """An IPv4 address is judged alike bare, mapped, through 6to4 and through NAT64."""
    number = int(address)
    disguises = [(0xFFFF << 32) + number, (0x2002 << 112) + (number << 80), (0x64FF9B << 96) + number]
    if not is_public(address):
        assert not any(is_public(ipaddress.IPv6Address(disguise)) for disguise in disguises)

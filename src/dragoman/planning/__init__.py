"""Request -> Plan."""

import { describe, expect, test } from "vitest";
import { clientAddress, clientNetwork, parseTrustedProxies } from "./index.ts";

/** The client address with this setting, for a connection from `peer` with this `X-Forwarded-For` header. */
const counted = (setting: string, peer: string, forwarded?: string) =>
  clientAddress(
    {
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    } as never,
    parseTrustedProxies(setting) || false,
  );

describe("client address", () => {
  test.each([
    ["0", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
    ["1", "192.0.2.1", undefined, "192.0.2.1"],
    ["1", "192.0.2.1", "198.51.100.7", "198.51.100.7"],
    ["1", "192.0.2.1", "203.0.113.99, 198.51.100.7", "198.51.100.7"],
    ["2", "192.0.2.1", "203.0.113.99, 198.51.100.7, 192.0.2.2", "198.51.100.7"],
    ["2", "192.0.2.1", "198.51.100.7", "198.51.100.7"],
    ["10.0.0.0/8,127.0.0.1", "127.0.0.1", "203.0.113.99,198.51.100.7 , 10.1.2.3", "198.51.100.7"],
    ["10.0.0.0/8", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
    ["10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["2001:db8:1::/48", "2001:db8:1::5", "[2001:db8::1]:443", "2001:db8::1"],
  ])(
    "with KITH_TRUST_PROXY=%s, peer %s and X-Forwarded-For %s is %s",
    (setting, peer, forwarded, address) => {
      expect(counted(setting, peer, forwarded)).toBe(address);
    },
  );

  test.each([
    ["1.2.3.4:5678", "1.2.3.4"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:DB8:0::1]", "2001:db8::1"],
    ['"[2001:db8::1]:443"', "2001:db8::1"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304", "1.2.3.4"],
    ["fe80::1%eth0", "fe80::1"],
  ])("omits port, brackets and zone of the entry %s", (entry, address) => {
    expect(counted("1", "192.0.2.1", `203.0.113.99, ${entry}`)).toBe(address);
  });

  test.each(["unknown", "", "_hidden", "1.2.3.4.5", "198.51.100.7:port", "a".repeat(9_000)])(
    "is the proxy's address when the X-Forwarded-For entry %s is no address",
    (entry) => {
      expect(counted("1", "192.0.2.1", `203.0.113.99, ${entry}`)).toBe("192.0.2.1");
    },
  );

  test("becomes IPv4 for an IPv4 client on an IPv6 socket", () => {
    expect(counted("0", "::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(counted("10.0.0.0/8", "::ffff:10.0.0.1", "198.51.100.7")).toBe("198.51.100.7");
  });
});

test.each([
  "x",
  "-1",
  "1.5",
  "11",
  "10.0.0.0/33",
  "10.0.0.0/8/8",
  "10.0.0.0/",
  "10.0.0",
  ",",
  "127.0.0.1,proxy",
])("setting KITH_TRUST_PROXY=%s is rejected", (setting) => {
  expect(parseTrustedProxies(setting)).toBeNull();
});

test("client network of an IPv6 address is its /64 prefix; an IPv4 address is a network of its own", () => {
  expect(clientNetwork("2001:db8::1")).toBe(clientNetwork("2001:db8:0:0:ffff::2"));
  expect(clientNetwork("2001:db8::1")).not.toBe(clientNetwork("2001:db8:0:1::1"));
  expect(clientNetwork("fe80::1%eth0")).toBe(clientNetwork("fe80::2"));
  expect(clientNetwork("::ffff:198.51.100.7")).toBe("198.51.100.7");
  for (const address of ["198.51.100.7", "not an address", ""]) expect(clientNetwork(address)).toBe(address);
});

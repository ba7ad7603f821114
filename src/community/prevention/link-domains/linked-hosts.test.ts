import { describe, expect, test } from "vitest";
import { listDomains, listLinkedHosts } from "./linked-hosts.ts";

describe("hosts that a text links to", () => {
  test.each([
    ["See https://Casino.Example/a?b.", "casino.example"],
    ["[play](https://casino.example)", "casino.example"],
    ["[play](https&#58;//casino&#46;example)", "casino.example"],
    ["[play][1]\n\n[1]: https://casino.example", "casino.example"],
    ["![](https://casino.example/a.png)", "casino.example"],
    ["<https://user@casino.example:8080/>", "casino.example"],
    ["www.casino.example", "www.casino.example"],
    ["https://casino%2eexample/", "casino.example"],
    ["https://casino。example./", "casino.example"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
    ["http://casino.example\\a", "casino.example"],
  ])("%s", (text, host) => {
    expect(listLinkedHosts(text)).toContain(host);
  });

  test.each([
    "casino.example",
    "[here](/discussions/1)",
    "[play](//casino.example)",
    "[mail](mailto:a@casino.example)",
    "https://",
    "a && b",
    "![](javascript:alert)",
  ])("%s has none", (text) => {
    expect(listLinkedHosts(text)).toEqual([]);
  });

  test("are looked up with the domains above them", () => {
    expect(listDomains("a.casino.example")).toEqual(["a.casino.example", "casino.example", "example"]);
  });
});

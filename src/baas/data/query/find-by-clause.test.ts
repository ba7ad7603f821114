import { describe, expect, test } from "vitest";

import { SERVER } from "../../../../test/support/data/sample-tables.ts";
import { findSortedIds } from "../../../../test/support/data/find-context.ts";

describe("find by clause", () => {
  test.each([
    ["", "abcd"],
    ["name = 'Joe'", "a"],
    ["name='Jane'", "b"],
    ["name != 'Joe'", "bc"],
    ["name = 'Charlie''s Angels'", "c"],
    ["name LIKE '%a%'", "bc"],
    ["name like 'J%'", "ab"],
    ["name LIKE '%e'", "ab"],
    ["name is null", "d"],
    ["objectId is not null", "abcd"],
    ["1=1", "abcd"],
    ["objectId!=NULL", "abcd"],
    ["age < 30", "a"],
    ["age >= 25.5", "bc"],
    ["name LIKE 'J%' and age > 20", "b"],
    ["name = 'Joe' OR name = 'Jane'", "ab"],
    ["objectId in ('a','b', 'z')", "ab"],
    ["age not in (20, 1)", "bc"],
    ["(age = 20 or age = 30) and open = true", "ac"],
    ["not (name = 'Joe')", "bc"],
    ["open = true", "ac"],
    ["birthDate > '23-Mar-2015'", "b"],
    ["birthDate > '03/23/2015'", "b"],
    ["birthDate > 1427068800000", "b"],
    ["birthDate after 1427068800000", "b"],
    ["birthDate before '24-Mar-2015'", "a"],
    ["birthDate at or after '03/23/2015 22:00:00 GMT-0200'", "b"],
    ["birthDate at or before '23-03-2015'", "a"],
    ["address.city = 'New York'", "a"],
    ["address.city = 'Berlin'", "ab"],
    ["address.country.name = 'America'", "a"],
    ["address.city = 'Berlin' and address.country.name = 'America'", ""],
    ["address.city = 'Berlin' and home.city = 'New York'", "a"],
    ["address.city is null", "cd"],
    ["address is null", "d"],
    ["address = 'be'", "ab"],
    ["not (address.city = 'Berlin')", "ab"],
    ["address.city = 'Hamburg' or name = 'Joe'", "ab"],
    ["PhoneBook[contacts].objectId = 'X'", "ac"],
    ["PhoneBook[contacts].objectId = 'X' and address.city like '%e%'", "a"],
    ["PhoneBook[contacts].contacts.name = 'Joe'", "ac"],
    ["profile->'$.age' > 30", "a"],
    ["profile->'$.address.city' = 'New York'", "a"],
    ["profile->'$.decimals[0]' < 13", "a"],
    ["profile->'$.timeMarks.date' = '2015-07-29'", "b"],
    ["profile->'$.decimals[0]' = address.json->'$.decimals[0]'", "a"],
    ["point='POINT(180 90)'", "a"],
    ["GetLat(point)=90 AND GetLon(point)>1", "a"],
    ["Within(point, 'POLYGON((0 0,10 0,10 10,0 10,0 0))') = true", "b"],
    ["price * quantity > 100", "a"],
    ["total > 100", "a"],
    ["total is null", "cd"],
    ["mail like '%example%'", "a"],
    ["diary.text is not null", "a"],
    ["diary.text = 'his'", ""],
  ])("%s → %s", async (where, found) => {
    expect(await findSortedIds(where)).toBe(found);
  });

  test.each([
    ["secret = 'x'", "Column 'secret' does not exist in table 'Person'", 1006],
    ["nobody = 1", "Column 'nobody' does not exist in table 'Person'", 1006],
    ["address.street = 1", "Column 'street' does not exist in table 'Address'", 1006],
    ["name.first = 'a'", "Column 'name' does not exist", 1006],
    ["Vault[keepers].gold > 1", "not allowed to find objects of the table 'Vault'", 1011],
    [
      "Nothing[contacts].title = 'a'",
      "The table 'Nothing' has no relation 'contacts' to the table 'Person'",
      1017,
    ],
    ["Address[country].city = 'a'", "has no relation 'country' to the table 'Person'", 1017],
    ["Count(objectId) > 1", "is an aggregate and cannot be used here", 1017],
    [
      (
        "address home diary address.country home.country PhoneBook[contacts] " +
        "PhoneBook[contacts].contacts PhoneBook[contacts].contacts.home PhoneBook[contacts].contacts.diary"
      )
        .split(" ")
        .map((path) => `${path}.objectId = 'a'`)
        .join(" or "),
      "8 relations at most",
      1017,
    ],
  ])("rejects %.60s with a reason", async (where, words, code) => {
    await expect(findSortedIds(where)).rejects.toMatchObject({
      message: expect.stringContaining(words) as string,
      code,
    });
  });

  test("can use hidden columns with the server key", async () => {
    expect(await findSortedIds("secret = 'x'", SERVER)).toBe("a");
    expect(await findSortedIds("Vault[keepers].gold > 1", SERVER)).toBe("a");
    expect(await findSortedIds("diary.text = 'his'", SERVER)).toBe("ab");
  });
});

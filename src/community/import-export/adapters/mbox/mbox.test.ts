import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "mbox");

const mail = (head: Record<string, string>, body: string) =>
  `From x Mon Mar  4 10:00:00 2019\r\n${Object.entries(head)
    .map(([key, value]) => `${key}: ${value}`)
    .join("\r\n")}\r\n\r\n${body}\r\n\r\n`;
const FIRST = mail(
  {
    From: "=?utf-8?q?Zo=C3=AB?= <zoe@example.org>",
    Subject: "[garden] When to sow?",
    "Message-ID": "<1@x>",
    Date: "Mon, 4 Mar 2019 10:00:00 +0100",
    "List-Id": '"Garden talk" <garden.example.org>',
    "Content-Type": "text/plain; charset=iso-8859-1",
    "Content-Transfer-Encoding": "quoted-printable",
  },
  "Gr=FC=DFe, write to zoe@example.org.\r\n\r\n>From here on it is cold.\r\n-- \r\nZoe, 12 Bean Street",
);
const REPLY = mail(
  {
    From: "Kim <KIM@example.org>",
    Subject: "Re: [garden] When to sow?",
    "Message-ID": "<2@x>",
    "In-Reply-To": "<1@x>",
    References: "<0@x> <1@x>",
    Date: "Mon, 4 Mar 2019 11:00:00 +0100",
    "Content-Type": "text/html; charset=utf-8",
  },
  "<p>In <b>May</b>.</p><script>x()</script>",
);
const QUOTING = mail(
  {
    From: "zoe@example.org",
    Subject: "Re: When to sow?",
    "Message-ID": "<3@x>",
    "In-Reply-To": "<2@x>",
    Date: "Mon, 4 Mar 2019 12:00:00 +0100",
  },
  "On Monday, Kim <kim@example.org> wrote:\r\n> In May.\r\nThank you.",
);
const LOST = mail(
  {
    From: "Noor <noor@example.org>",
    Subject: "AW: When to sow?",
    "Message-ID": "<4@x>",
    "In-Reply-To": "<9@x>",
    Date: "rubbish",
  },
  "By its subject.",
);
const OTHER = mail(
  {
    From: "Kim <kim@example.org>",
    Subject: "When to sow?",
    "Message-ID": "<5@x>",
    Date: "Tue, 5 Mar 2019 11:00:00 +0100",
    "MIME-Version": "1.0",
    "Content-Type": 'multipart/mixed; boundary="b"',
  },
  "--b\r\nContent-Type: text/plain\r\n\r\nAnother year.\r\n--b\r\nContent-Type: image/png; " +
    'name="bed.png"\r\nContent-Disposition: attachment; filename="bed.png"\r\n\r\nxxx\r\n--b--',
);

test("an mbox file is imported with threads, decoded text and masked addresses", async () => {
  const run = await bring(
    await write({ "garden.mbox": Buffer.from(FIRST + REPLY + QUOTING + LOST + OTHER, "latin1") }),
  );
  expect(await posts()).toEqual([
    ["When to sow?", 1, "Zoë", null, "Grüße, write to zoe@….\n\nFrom here on it is cold."],
    ["When to sow?", 2, "Kim", 1, "In **May**."],
    ["When to sow?", 3, "Zoë", 2, "On Monday, Kim <kim@…> wrote:\n> In May.\n\nThank you."],
    ["When to sow?", 4, "Noor", 1, "By its subject."],
    ["When to sow?", 1, "Kim", null, "Another year."],
  ]);
  expect(await remarks(run)).toEqual([
    "garden.mbox message 2: Removed from its text: script.",
    "garden.mbox message 4: Its date cannot be read and was set to that of the previous message.",
    "garden.mbox message 5: Skipped: bed.png.",
  ]);
  expect(await one(db, sql`select name, visibility from groups`)).toEqual({
    name: "Garden talk",
    visibility: "private",
  });
  expect(
    await many(
      db,
      sql`select g.email, p.username from imported_accounts g join people p on p.id = g.person_id order by 1`,
    ),
  ).toEqual([
    { email: "kim@example.org", username: "kim" },
    { email: "noor@example.org", username: "noor" },
    { email: "zoe@example.org", username: "zoe" },
  ]);
  expect(JSON.stringify(await many(db, sql`select * from imported_records`))).not.toContain("@example.org");
});

test("a line of text starting with From does not begin a mail", async () => {
  const head = {
    From: "Zoë <zoe@example.org>",
    "Message-ID": "<1@x>",
    Date: "Mon, 4 Mar 2019 10:00:00 +0100",
  };
  const [title, next] = ["When to sow?", "And when to reap?"];
  const text = [
    mail(
      { ...head, Subject: title },
      "Soon.\r\nFrom x Mon Mar  4 10:00:00 2019\r\n\r\nFrom here on we go.\r\n\r\nFrom Monday to Friday: 4 Mar 2019",
    ),
    mail({ ...head, Subject: next, "Message-ID": "<2@x>" }, "In autumn.").replace(
      /^.*\r/,
      "From zoe at example.org Mon Mar 04 10:00:00 +0000 2019\r",
    ),
    mail({ ...head, Subject: `Re: ${title}`, "Message-ID": "<3@x>" }, "Now.").replace(
      /^.*\r/,
      "From - Mon Mar  4 10:00 CET 2019\r",
    ),
  ].join("");
  await bring(await write({ "garden.mbox": text }));
  expect((await posts()).map(([subject, number, , , body]) => [subject, number, body])).toEqual([
    [
      title,
      1,
      "Soon.\nFrom x Mon Mar  4 10:00:00 2019\n\nFrom here on we go.\n\nFrom Monday to Friday: 4 Mar 2019",
    ],
    [title, 2, "Now."],
    [next, 1, "In autumn."],
  ]);
});

test("a mail with an impossible date gets another date, and its author is imported", async () => {
  const from = (n: number, Date: string) =>
    mail({ From: "Kim <kim@example.org>", Subject: `Of day ${n}`, "Message-ID": `<${n}@x>`, Date }, "Here.");
  const text =
    from(1, "Fri, 4 Mar 1960 10:00:00 +0100") +
    from(2, "Mon, 4 Mar 2019 10:00:00 +0100") +
    from(3, "Mon, 4 Mar 2190 10:00:00 +0100");
  const run = await bring(await write({ "garden.mbox": text }));
  expect((await posts()).map(([title]) => title)).toEqual(["Of day 1", "Of day 2", "Of day 3"]);
  expect(await remarks(run)).toEqual(
    ["the date of the first message with one", "that of the previous message"].map(
      (whose, i) => `garden.mbox message ${i * 2 + 1}: Its date cannot be read and was set to ${whose}.`,
    ),
  );
});

test("a second mail with the same Message-ID is skipped, with a warning if its text is different", async () => {
  const twice = (body: string, more = {}) =>
    mail(
      {
        From: "Kim <kim@example.org>",
        "Message-ID": "<1@x>",
        Date: "Mon, 4 Mar 2019 10:00:00 +0100",
        Subject: "Twice",
        ...more,
      },
      body,
    );
  const run = await bring(
    await write({
      "garden.mbox": twice("Here.") + twice("Here.", { Received: "again" }) + twice("Somewhere else."),
    }),
  );
  expect((await posts()).map(([, , , , body]) => body)).toEqual(["Here."]);
  expect(await remarks(run)).toEqual([
    "garden.mbox message 3: Skipped: message 1 has the same Message-ID and a different text.",
  ]);
});

test("a byte order mark is removed, and text before the first message is reported", async () => {
  const run = await bring(
    await write({
      "a.mbox": Buffer.from(`\u00EF\u00BB\u00BF${FIRST}`, "latin1"),
      "b.mbox": Buffer.from(`Exported in March\r\n\r\n${OTHER}`, "latin1"),
      "c.mbox": Buffer.from(`\r\n\r\n${LOST}`, "latin1"),
    }),
  );
  expect((await posts()).map(([title]) => title).sort()).toEqual(Array(3).fill("When to sow?"));
  expect((await remarks(run)).filter((it) => !it.includes(" message "))).toEqual([
    "b.mbox: Skipped: text before its first message.",
  ]);
});

test("an empty file is reported, and the other files are imported", async () => {
  const run = await bring(
    await write({ "a.mbox": "", "b.mbox": Buffer.from(FIRST, "latin1"), "c.txt": "Dear diary" }),
  );
  expect((await posts()).length).toBe(1);
  expect((await remarks(run)).map((it) => it.slice(0, 31))).toEqual([
    "a.mbox: Skipped: not an mbox: n",
    "c.txt: Skipped: not an mbox: no",
  ]);
});

test("a file that is no mbox is refused", async () => {
  await expect(bring(await write({ "notes.txt": "Dear diary" }))).rejects.toMatchObject({
    reason: "invalid",
    message: expect.stringContaining("not an mbox"),
  });
  await expect(bring(await write({ "a.png": "x", "b.png": "y" }))).rejects.toMatchObject({
    reason: "invalid",
  });
});

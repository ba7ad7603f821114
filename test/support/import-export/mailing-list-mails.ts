/** Formats a mail of an mbox file. */
export const formatMail = (
  n: number,
  subject: string,
  head: Record<string, string> = {},
  body = `Mail ${n}.`,
) =>
  `From x Mon Mar  4 10:00:00 2019\n${Object.entries({
    From: "Kim <kim@example.org>",
    "Message-ID": `<${n}@x>`,
    Date: `Mon, 4 Mar 2019 1${n}:00:00 +0000`,
    Subject: subject,
    ...head,
  })
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n")}\n\n${body}\n\n`;

/** Mails of two threads of a mailing list, in the order in which they were written. */
export const THREAD_MAILS = [
  formatMail(1, "When to sow?"),
  formatMail(2, "Re: When to sow?", { "In-Reply-To": "<1@x>" }),
  formatMail(3, "Re: When to sow?", { "In-Reply-To": "<2@x>" }),
  formatMail(4, "And when to reap?"),
  formatMail(5, "Re: And when to reap?", { References: "<4@x>" }),
];
/** The posts imported from these mails: title, number, number of the replied-to post, text. */
export const THREAD_POSTS = [
  ["When to sow?", 1, null, "Mail 1."],
  ["When to sow?", 2, 1, "Mail 2."],
  ["When to sow?", 3, 2, "Mail 3."],
  ["And when to reap?", 1, null, "Mail 4."],
  ["And when to reap?", 2, 1, "Mail 5."],
];

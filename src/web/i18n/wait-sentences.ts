/** Messages of rate limits, with the time to wait (`tooManyRequests`). */
export const WAIT_SENTENCES = [
  { form: /^Too many requests\.$/, say: "Too many requests." },
  { form: /^Slow mode is on: let others reply first\.$/, say: "Slow mode is on: let others reply first." },
  {
    form: /^(?<other>.+\.) Please try again in (?<count>\d+) seconds?\.$/,
    say: "{other} Try again in {count, plural, one {# second} other {# seconds}}.",
  },
  {
    form: /^(?<other>.+\.) Please try again in (?<count>\d+) minutes?\.$/,
    say: "{other} Try again in {count, plural, one {# minute} other {# minutes}}.",
  },
  {
    form: /^(?<other>.+\.) Please try again in (?<count>\d+) hours?\.$/,
    say: "{other} Try again in {count, plural, one {# hour} other {# hours}}.",
  },
];

/** Messages of rate limits, with the time to wait (`tooManyRequests`). */
export const WAIT_SENTENCES = [
  { form: /^That was a bit much at once\.$/, say: "Too many requests." },
  { form: /^This discussion is slow: let others speak\.$/, say: "Slow mode is on: let others reply first." },
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

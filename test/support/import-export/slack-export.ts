export const SLACK_USERS = [
  {
    id: "U1",
    name: "mo",
    deleted: false,
    profile: { display_name: "Mo", email: "mo@example.org" },
    tz: "Europe/Berlin",
  },
  { id: "U2", name: "lee", deleted: true, real_name: "Lee Gone", profile: {} },
];
export const SLACK_CHANNELS = [
  {
    id: "C1",
    name: "garden-talk",
    created: 1452837318,
    creator: "U1",
    members: ["U1", "U2", "U9"],
    purpose: { value: "Beds & beans" },
  },
];
export const slackMessage = (ts: string, user: string, text: string, more: object = {}) => ({
  type: "message",
  ts,
  user,
  text,
  ...more,
});
export const SLACK_DAYS = {
  "garden-talk/2016-01-14.json": [
    slackMessage("1452780000.000100", "U1", "Hello <@U2>"),
    slackMessage("1452780100.000100", "U1", "<@U2> has joined", { subtype: "channel_join" }),
    slackMessage("1452780200.000100", "U1", "When do we *sow*?", {
      thread_ts: "1452780200.000100",
      reply_count: 2,
      reactions: [
        { name: "+1::skin-tone-3", users: ["U2", "U7"] },
        { name: "our_cat", users: ["U2"] },
      ],
    }),
    slackMessage("1452780300.000100", "U2", "In May.", { thread_ts: "1452780200.000100" }),
    {
      type: "message",
      subtype: "bot_message",
      bot_id: "B1",
      username: "Builder",
      text: "",
      ts: "1452780400.000100",
      attachments: [
        {
          fallback: "Build",
          text: "Green &amp; <http://ci.example.org|good>",
          title: "CI",
          title_link: "http://ci.example.org/?a=1&amp;b=2",
        },
      ],
    },
    { type: "message", nonsense: true },
  ],
  "garden-talk/2016-01-15.json": [
    slackMessage("1452866400.000100", "U5", "Late answer", { thread_ts: "1452780200.000100" }),
    slackMessage("1452866500.000100", "U2", "A picture", {
      files: [{ name: "bed.png", url_private: "https://files.slack.com/bed.png?t=xoxe" }],
      thread_ts: "1400000000.000100",
    }),
  ],
};
export const slackFiles = (more: Record<string, string | Buffer> = {}) => ({
  "users.json": JSON.stringify(SLACK_USERS),
  "channels.json": JSON.stringify(SLACK_CHANNELS),
  ...Object.fromEntries(Object.entries(SLACK_DAYS).map(([name, all]) => [name, JSON.stringify(all)])),
  ...more,
});

/** Creates a post or a topic in Discourse's format. */
export const discoursePost = (
  id: number,
  post_number: number,
  username: string,
  cooked: string,
  more: object = {},
) => ({
  id,
  post_number,
  username,
  name: username.toUpperCase(),
  cooked,
  post_type: 1,
  created_at: `2020-05-0${Math.min(9, post_number)}T10:00:00.000Z`,
  ...more,
});
export const discourseTopic = (id: number, all: object[], more: object = {}) =>
  JSON.stringify({
    id,
    title: `Topic number ${id}`,
    slug: `topic-number-${id}`,
    category_id: 5,
    tags: ["beans"],
    created_at: "2020-05-01T10:00:00Z",
    post_stream: { posts: all, stream: all.map((_, i) => i) },
    ...more,
  });

/** A topic of several posts, some of which are not public. */
export const TOPIC_SEVEN = [
  discoursePost(71, 1, "sam", "<p>When to sow?</p>"),
  discoursePost(72, 2, "Kim", "<p>In May.</p>", {
    reply_to_post_number: 1,
    updated_at: "2020-05-03T10:00:00Z",
  }),
  discoursePost(74, 4, "sam", "", { post_type: 3 }),
  discoursePost(75, 5, "eve", "<p>Whispered.</p>", { post_type: 4 }),
  discoursePost(76, 6, "sam", "<p>Thanks <script>x</script></p>", { reply_to_post_number: 3 }),
  discoursePost(77, 7, "kim", "<p>See <a href='/t/topic-number-7/7/2'>above</a>.</p>", {
    reply_to_post_number: 6,
  }),
];

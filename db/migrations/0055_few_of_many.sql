-- Two lists that looked at everything to show a page. At a hundred thousand each, the liveliest discussions of a year took a tenth of a
-- second and take a millisecond; what was sent along in one long conversation took seven tenths, and takes three milliseconds.
create index discussions_liveliest on discussions (posts_count desc, last_post_at desc, id desc) where state = 'open';
-- A message shows its pictures and files at their addresses: all others are not even looked at.
create index messages_sending_along on messages (conversation_id, seq) where deleted_at is null and body_html like '%/files/%';

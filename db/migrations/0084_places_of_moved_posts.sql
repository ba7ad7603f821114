-- Places of posts that stand elsewhere by now are few, and not counted as unread.
create index posts_moved on posts (discussion_id, number) where state = 'moved';

-- The admin overview counts the posts of the last weeks. Posts are stored nearly in the order of their time, so a
-- block range index finds them at no cost for writing.
create index posts_by_time on posts using brin (created_at);

-- For what is near a discussion: others with its tags.
create index discussions_tags on discussions using gin (tags) where state = 'open';

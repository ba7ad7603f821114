-- Those that nobody has changed for half a year are forgotten, the oldest first: they are found by their age, not among all.
create index drafts_by_age on drafts (saved_at);

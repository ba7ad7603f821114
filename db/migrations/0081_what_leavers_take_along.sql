-- Whoever leaves a group may ask that what they wrote in it goes as well: since when. Null again once it is gone, or they are back.
alter table memberships add column takes_along_at timestamptz;
create index memberships_taking_along on memberships (takes_along_at) where takes_along_at is not null;

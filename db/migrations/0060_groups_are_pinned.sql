-- Groups that somebody keeps on top of their own.
alter table memberships add column pinned_at timestamptz;

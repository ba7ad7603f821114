-- No version of a draft comes twice, so that a tab that still has one that was sent cannot take another for it.
create sequence draft_versions as integer maxvalue 1000000000 cycle;
select setval('draft_versions', (select least(1000000000, coalesce(max(version), 0) + 1) from drafts));

-- How often a person, or a group, has got another name since the first of these changes, which is a day ago at the most.
alter table people add column renamed integer not null default 0, add column renamed_since timestamptz;
alter table groups add column renamed integer not null default 0, add column renamed_since timestamptz;

-- How far somebody has come with the round for newcomers that they have not finished; null before they have begun it.
alter table people add column welcome_step smallint check (welcome_step between 1 and 4);

-- Names such as C++ and C# are words of their own now: what was filed before is filed again, share by share.
insert into search_due (what, id, at)
select 'everything', '00000000-0000-0000-0000-000000000000', now() where exists (select from search_documents);

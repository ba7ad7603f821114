-- What stands in a large group, or was written by somebody, is filed anew in shares in the order of the ids. Without these a share read
-- the whole table by its key: of 40 000 documents, a third of them in the group, it touched 30 000 pages instead of 10 000.
create index search_shares_of_group on search_documents (group_id, id) where group_id is not null;
create index search_shares_of_author on search_documents (author_id, id) where author_id is not null;

-- The vocabulary of search is read in its own order, which no collation of a language gives: so nothing is sorted for it.
alter table search_words alter column word type text collate "C";

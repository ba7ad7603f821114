-- Names in stored data follow the vocabulary of the code. Keys of the definitions keep their order, because admins
-- edit them as JSON.
update automation_versions set definition = (
  select json_object_agg(key, case key when 'rights' then '"system"' else value end)
  from json_each(definition::json)
) where definition::json ->> 'rights' = 'house';

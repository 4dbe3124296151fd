/**
 * The statement that allows one more kind of journal entry. It replaces the check by one that keeps what it allows now. The new check holds for
 * new rows at once, and the others must be validated afterwards.
 */
export const allowEntryKind = (kind: string): string => `DO $$
   DECLARE known text;
   BEGIN
     SELECT string_agg(DISTINCT quote_literal(word[1]), ', ') INTO known
       FROM pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([^'']*)''::text', 'g') AS word
      WHERE c.conrelid = 'escrow.journal_entry'::regclass AND c.conname = 'journal_entry_kind_check';
     ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check;
     EXECUTE format('ALTER TABLE escrow.journal_entry ADD CONSTRAINT journal_entry_kind_check
       CHECK (kind IN (%s, ''${kind}'')) NOT VALID', known);
   END $$`

-- What is worth keeping of a message: one pattern per row, so that a person can add, change or switch off rules.

create table capture_rule (
  -- One row per pattern that turns a clause of a message into a proposed memory. Rules read clauses, never
  -- whole messages: code, quotations, logs and URLs are left out before, and a clause that asks, supposes,
  -- reports or jokes is passed over whatever a rule says. The whole clause is stored, so its sense is kept.
  -- `cogmem capture rules check` proves each row by its own example and counter-example.
  name             text primary key,                  -- family.what, for a language other than English family.what_de
  family           text not null,                     -- constraint wins over correction, decision, profile, preference and
                                                      -- statement, in this order; remember is what a person asks to be kept;
                                                      -- self_error reads the agent
  language         text not null default 'en',        -- of the pattern; rules in de, es, fr, pt, it, nl, zh and ja read
                                                      -- messages in that language, all others read every message
  position         integer not null default 100,      -- within a family the lowest that matches takes the clause
  pattern          text not null,                     -- re2 syntax, no case, no accents; a blank is any white space;
                                                      -- ^ is the clause after its opening words ("ok, please …");
                                                      -- (?P<what>…) is the object that names the memory, so that a later
                                                      -- clause on it replaces it; without one the whole clause does
  veto             text,                              -- re2: the rule passes a clause over where this is found; null: never
  kind             text not null references kind (name) on update cascade, -- what it is stored as
  priority         integer not null default 2,        -- 4 critical, 3 high, 2 medium, 1 normal
  polarity         integer not null default 1,        -- -1: the clause forbids or denies
  confidence       real not null default 0.8,         -- 0 to 1: how often such a clause really is a standing wish or fact
  state            text not null default 'active',    -- candidate: not shown until repeated or confirmed
  outcome          text not null default '',          -- of a self_error: failure, or learning when something else was tried
  example          text not null,                     -- a message of which this rule must capture something
  counter_example  text not null,                     -- a message that looks alike and that this rule must leave
  is_enabled       integer not null default 1,        -- 0: out of use
  is_own           integer not null default 1,        -- 1: a person's own, which nothing doubts; 0: it came with cogmem
  constraint rule_has_a_name check (name <> '' and name = lower(name)),
  constraint family_is_known check (
    family in ('remember', 'constraint', 'correction', 'decision', 'profile', 'preference', 'statement', 'self_error')),
  constraint pattern_is_not_empty check (pattern <> '' and coalesce(veto, 'none') <> ''),
  constraint pattern_is_of_bounded_length check (length(pattern) <= 2000 and length(coalesce(veto, '')) <= 2000),
  constraint rule_priority_is_one_to_four check (priority between 1 and 4),
  constraint rule_polarity_is_for_or_against check (polarity in (-1, 1)),
  constraint confidence_is_a_share check (confidence between 0 and 1),
  constraint rule_state_is_candidate_or_active check (state in ('candidate', 'active')),
  constraint only_self_errors_have_an_outcome check (
    case family when 'self_error' then outcome in ('failure', 'learning') else outcome = '' end),
  constraint rule_proves_itself check (example <> '' and counter_example <> '' and example <> counter_example),
  constraint rule_is_enabled_or_not check (is_enabled in (0, 1)),
  constraint rule_is_own_or_not check (is_own in (0, 1))
) strict;

-- Constraints: what must be so, or must never be. Stored as policy.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('constraint.dont_ever', 'constraint', 'en', 10,
   '\b(do not|don''?t|can ?not|can''?t|must not|may not) ever (?P<what>\w.+)',
   '\b(i|you|they|he|she|it|who|people) (do not|don''?t|can ?not|can''?t) ever\b|\bever (be afraid|forget|give up|doubt|change$'
   || '|let (anyone|any one|go)|stop)\b',
   'policy', 4, -1, 0.95, 'active',
   'Don''t ever delete the raw data.', 'They don''t ever answer the phone.'),
  ('constraint.never_ever', 'constraint', 'en', 11,
   '^never,? ever,? (again )?(?P<what>\w.+)',
   'ever,? (again will|been|seen|had|heard|\w+ed\b)',
   'policy', 4, -1, 0.95, 'active',
   'Never ever run DROP TABLE on production.', 'Never ever seen such a long queue.'),
  ('constraint.no_circumstances', 'constraint', 'en', 12,
   '\bunder no circumstances\b,? (?P<what>\w.+)', null,
   'policy', 4, -1, 0.95, 'active',
   'Under no circumstances may the raw files leave the server.', 'Under normal circumstances it takes an hour.'),
  ('constraint.must_not', 'constraint', 'en', 20,
   '\bmust( not|n''?t| never) \w.+',
   '\b(he|she|there|that|which) must not\b|must( not| never|n''?t) (have|forget|complain|grumble)\b',
   'policy', 4, -1, 0.9, 'active',
   'You must not touch the vendor directory.', 'They must not have seen my letter yet.'),
  ('constraint.may_not', 'constraint', 'en', 21,
   '\bmay not ([a-z]\w+.*)',
   '\b(i|we|you|he|she|they|it|this|that|there|which) may not\b|\bmay not (be (the|a|an|able|enough|possible|necessary'
   || '|obvious|right|true|clear|ideal|perfect|so|as|aware)|have|know|work|need|like|want|matter|seem|always|even|yet|only|notice'
   || '|understand|agree|apply|exist|help|make)\b',
   'policy', 4, -1, 0.65, 'candidate',
   'Code coverage may not drop below 85 %.', 'It may not rain tomorrow after all.'),
  ('constraint.i_must_always', 'constraint', 'en', 21,
   '\bi must always (use )?(?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'I must always use the company letterhead.', 'I must go now, the bus is always full.'),
  ('constraint.must', 'constraint', 'en', 22,
   '\b\w+ must (always |also |only |all |first |still )?([a-z]\S+.*)',
   '\b(i|he|she|who|there|somebody|someone|something|everyone) must\b|\b(a|an|the|no|if you|if we|if i|this|that) must\b'
   || '|^(what|where|how|which|when|why|whatever)\b|\bmust (be|of|know|see|try this|watch|visit|hear|admit|say|confess|agree|dash'
   || '|think|love|feel|look like|seem|mean|really|surely|truly|hurt|taste|smell|enjoy|miss)\b'
   || '|\bmust (also |all |still )?have (been|\w+ed|gone|had|done|made|lost|left|forgotten|broken|taken|got|gotten|seen|said'
   || '|come|run|written|known|felt|cost|hit|put|set|its own)\b',
   'policy', 4, 1, 0.85, 'active',
   'You must run the migrations before the tests.', 'I must admit the second draft reads much better.'),
  ('constraint.all_must_be', 'constraint', 'en', 23,
   '\b(all|every|each|any|both|everything|everyone)\b[^,;]*?\bmust (always |also |only |first |still )?be \S.+',
   '\bmust be (joking|kidding|so|really|very|tired|thrilled|excited|lovely|great|proud|hard|mad|crazy)\b',
   'policy', 4, 1, 0.85, 'active',
   'All exports must be UTF-8 encoded.', 'All of that must be so hard for her.'),
  ('constraint.must_be', 'constraint', 'en', 24,
   '\b\w+ must (always |also |only |first |still )?be ((\w+ )?(\w\w+ed|\w+en|\w+[iau]bl[ey]|kept|built|sent|sold'
   || '|set|paid|met|done|run|read|put|cut|shown|known|drawn|sewn|born|worn|held|made|said|left|lost|bound|found|ground|brought|bought|taught|caught'
   || '|in|on|at|under|below|above|over|within|between|inside|outside|before|after|up to|less|more|no|not|exactly|only|either|\d\S*'
   || '|\w+er than|unique|valid|ready|empty|idempotent|deterministic|visible|free of|up to date|backwards?|identical|equal|the same'
   || '|optional|stateless|secure|private|public|short|concise|consistent|lower|upper|signed|present|offline|online|anonymous|written|green)\b.*)',
   '\b(i|he|she|who|there|somebody|someone|something) must\b|\b(a|an|the|if you|if we|if i) must\b|^(what|where|how|which|when'
   || '|why)\b|\bsince (we|i|you|the|they|he|she|my)\b'
   || '|\bbe (\w+ )?(tired|thrilled|excited|scared|worried|relieved|pleased|delighted|bored|exhausted|annoyed|disappointed'
   || '|surprised|confused|mistaken|overwhelmed|interested|married|related|talented|blessed|gifted|stressed|frightened|terrified|devastated'
   || '|amazed|loved|missed|been|seven|ten|kitten|men|women|children|able|unable|possible|incredible|terrible|horrible|enjoyable'
   || '|comfortable|unbelievable|remarkable|adorable|on your mind|in love|in heaven|in pain|at home|at least one|on something'
   || '|on to something|over the moon|not easy|no fun|more to)\b',
   'policy', 4, 1, 0.8, 'active',
   'Response time must be under 200 ms at the 95th percentile.', 'You must be joking, the train is late again.'),
  ('constraint.have_to_always', 'constraint', 'en', 25,
   '\b(has|have) to (always \w.+|.+\balways$)',
   '\b(i|he|she) (has|have) to\b',
   'policy', 3, 1, 0.7, 'candidate',
   'Spare keys have to be signed for, always.', 'You do not have to always show the diff.'),
  ('constraint.have_to_before', 'constraint', 'en', 26,
   '^you (have|need) to (?P<what>\w.+\b(before|whenever|every time|each time|after) (you )?\w+(ing)?\b.*)',
   '\b(know|see|understand|leave|go|hurry)\b',
   'policy', 3, 1, 0.7, 'candidate',
   'You have to ask me before deleting anything.', 'You have to see this before it is gone.'),
  ('constraint.required', 'constraint', 'en', 30,
   '(\w[^,:]*?) (is|are) (strictly |always |absolutely )?(required|mandatory|obligatory|compulsory|a must)'
   || '( (for|on|in|before|when|whenever|to|by|at|here)\b.*)?$',
   'no longer|\bto work here\b|^(what|which|where|how|why|nothing|it|this|that|there)\b|\bwas\b',
   'policy', 4, 1, 0.8, 'active',
   'A consent form is required for each participant.', 'It is not required, just nice to have.'),
  ('constraint.required_label', 'constraint', 'en', 31,
   '^(required|mandatory|hard requirement|requirement|strict rule):\s*(?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'Required: Python 3.11 or newer.', 'The required field is missing from the form.'),
  ('constraint.it_is_required', 'constraint', 'en', 32,
   '^it(''s| is) (strictly |absolutely )?(required|mandatory|obligatory|imperative|essential) (that|to) (?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'It is required that every invoice carries the tax number.', 'It is nice that every invoice arrived.'),
  ('constraint.not_allowed', 'constraint', 'en', 33,
   '(\w[^,:]*?) (is|are) (strictly |absolutely )?((not|never) (allowed|permitted|acceptable)|forbidden|prohibited'
   || '|off limits)\b',
   '^(it|this|that|which|what|why|there) (is|are)\b|\b(he|she|i|who) (is|am)\b',
   'policy', 4, -1, 0.8, 'active',
   'Pull requests without tests are not allowed.', 'Why is this fruit forbidden in the hotel?'),
  ('constraint.it_is_forbidden', 'constraint', 'en', 34,
   '^it(''s| is) (strictly |absolutely )?(forbidden|prohibited|not allowed|not permitted|never allowed) to (?P<what>\w.+)', null,
   'policy', 4, -1, 0.85, 'active',
   'It is forbidden to store card numbers.', 'It is not forbidden to dream, is it?'),
  ('constraint.no_x_may', 'constraint', 'en', 35,
   '^(no (\w[^,]*?)|nobody|no one|nothing) (may|shall|must|can) (ever )?(be|leave|enter|touch|use|see|change|go|get)\b.+',
   '\bcan be (so|as|that|too|better|worse)\b',
   'policy', 4, -1, 0.8, 'active',
   'No feature may be merged without a design document.', 'No worries, nothing may come of it anyway.'),
  ('constraint.jangan_pernah_id', 'constraint', 'id', 10,
   '^jangan (pernah|sekali-?kali|sampai) (?P<what>\w.+)', null,
   'policy', 4, -1, 0.9, 'active',
   'Jangan pernah hapus data pelanggan.', 'Dia bilang jangan pernah pakai lift itu.'),
  ('constraint.harus_id', 'constraint', 'id', 22,
   '\b(harus|wajib) \w.+',
   '\b(tidak|tak|belum|saya|aku|dia|apa|apakah|kenapa|mengapa) (harus|wajib)\b',
   'policy', 4, 1, 0.8, 'active',
   'Semua laporan harus dikirim sebelum jam lima.', 'Saya harus pergi sekarang, sampai besok.'),
  ('constraint.muessen_de', 'constraint', 'de', 22,
   '^(alle|alles|jede[rsnm]?|die|der|du|wir|ihr|sie|es|in)\b[^,]*?\b(muss|mussen|musst)\b \w.+',
   '\b(ich|man)\b|\bes muss (ein|eine|an|wohl)\b|\b(wohl|los|leider)\b|\bmuss\w* (ein fehler|verruckt)',
   'policy', 4, 1, 0.7, 'active',
   'Alle Rechnungen müssen die Steuernummer enthalten.', 'Das muss ein Fehler sein, ich habe bezahlt.'),
  ('constraint.deber_es', 'constraint', 'es', 22,
   '^(todos|todas|todo|cada|los|las|el|la)\b[^,]*?\b(deben?|tienen? que) \w.+',
   '\bdeben? (de )?(ser un error|haber)|\b(dinero|euros)\b',
   'policy', 4, 1, 0.7, 'active',
   'Todos los informes deben estar en PDF.', '¿Debo usar siempre el subjuntivo aquí?'),
  ('constraint.devoir_fr', 'constraint', 'fr', 22,
   '^(tous|toutes|tout|chaque|les|le|la)\b[^,]*?\b(doit|doivent) \w.+',
   '\bdoi(t|vent) (etre une? (erreur|blague)|avoir)\b',
   'policy', 4, 1, 0.7, 'active',
   'Toutes les factures doivent porter le numéro de TVA.', 'Est-ce que je dois toujours porter un badge ?');

-- Corrections: the person sets something right. Stored as a fact of high priority.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('correction.label', 'correction', 'en', 10,
   '^(correction|small correction|to correct myself|let me correct (that|myself)|erratum)\s*[:,-]\s*\w.+', null,
   'fact', 3, 1, 0.95, 'active',
   'Correction: the meeting room is B204.', 'The correction of the exams takes two evenings.'),
  ('correction.wrong', 'correction', 'en', 11,
   '^(that''?s|that is|this is|you''?re|you are|i was|that was|you were|you got it) (\w+ )?(wrong|incorrect|mistaken|not true'
   || '|not correct|not right|not quite right)'
   || '( (earlier|before|there|here|about \w+))?\s*[:,;.!-]+\s*\w.+',
   '[:,;.!-]\s*(but|and|sorry|i think|i guess|please|can|could|try|fix|let''?s|right|isn''?t|though)\b',
   'fact', 3, 1, 0.85, 'active',
   'That''s wrong, the function returns a list.', 'Tell me if that is wrong, please.'),
  ('correction.i_meant', 'correction', 'en', 12,
   '^(i|we) (actually |really )?meant \w.+', '\bmeant (to|well|it|that as|no)\b',
   'fact', 3, 1, 0.75, 'active',
   'I meant the production cluster, not staging.', 'I meant to write to you last week.'),
  ('correction.actually', 'correction', 'en', 20,
   '^actually,? \w.+',
   '^actually,? (let''?s|let me|let us|can|could|would|will|please|never ?mind|nvm|what|how|why|who|when|where|do|does|did|is|are|maybe'
   || '|perhaps|forget|scratch|wait|no|yes|just|one|hold|stop|'
   || 'add|make|change|remove|show|give|tell|write|fix|try|skip|keep|leave|go|put|move|rename|start|undo|revert|ignore|quite|pretty|not'
   || '|nice|good|great|looks|sounds|same|still|that (looks|sounds|works|makes|seems|did|does)|'
   || '(that|it)(''?s| is| was) (fine|ok|okay|good|great|perfect|enough|all|nice|working|better)|that works|'
   || 'i(''?m| am) (not sure|wondering|fine|good|done|curious)|i(''?d| would| could| think| guess| wonder| was (wondering'
   || '|thinking|going|about|hoping|just)| don''?t (think|know|mind|care)| want| need| have (a|another|one)|''?ll| will| just| like'
   || '| love)|we should|you (can|could|should))\b',
   'fact', 3, 1, 0.8, 'active',
   'Actually, the port is 8081.', 'Actually, let us do the second option.'),
  ('correction.no', 'correction', 'en', 21,
   '^(no|nope|nah|wrong|incorrect|false|not quite)\s*[,.:;!-]+\s*\w.+',
   '^(no|nope|nah|wrong|incorrect|false|not quite)\s*[,.:;!-]+\s*(no\b|same|still|again|good|great|nice|'
   || 'it (still|also|just|now|does|didn|won|fails?|works?|keeps?|never|only)|that (did|does|won|looks|sounds|works|makes)|there (is'
   || '|are) (no|still)|thanks|thank|thx|ty\b|gracias|merci|danke|problem|worries|idea|need|not|nothing|none|never ?mind|please|wait'
   || '|sorry|go|let''?s|let me|but|and|or|nor|more|less|'
   || 'really|ok|okay|maybe|perhaps|forget|just|right|on|in|leave|keep|continue|don''?t|do not|stop|never|you|there|it''ll|i''ve|honestly'
   || '|seriously|of course|absolutely|definitely|what|why|how|who|where|is|are|can|could|would|do|does|did|'
   || 'money|time|politely|i(''?m| am) (fine|good|ok|okay|listening|done|not|sorry|just|still|afraid)|i(''?ll| will|''?d| would'
   || '| think| guess| mean| was| just| don''?t (think|know|need|want|mind|care|believe|see|have)| didn''?t| haven''?t| can''?t| have no)|'
   || '(that|it|this)(''?s| is| was| will) (all|fine|ok|okay|it|enough|good|great|everything|alright|not what|not necessary|too)'
   || '|that will do|we(''?re| are) (good|fine|done)|\w+$)\b',
   'fact', 3, 1, 0.75, 'active',
   'No, the deadline is the 14th of May.', 'Casino, hotel and spa are in one building.'),
  ('correction.not_but', 'correction', 'en', 30,
   '(^|\b(is|are|was|were|it''?s|that''?s|uses?|on|at|in|called|named|costs?|means?|lives?|runs?) )not ([^,;]+?),? but \w.*',
   '\bnot (about|only|just|merely|sure|bad|great|perfect|good|ideal|easy|really|that|yet|exactly|too|very|so|much|always|necessarily'
   || '|quite|entirely|working|finished|done|ready|fully|completely|a fan|an expert|my|the best|the prettiest|nice|pretty|cheap|fast|urgent'
   || '|important)\b'
   || '|\bbut (i|it|we|you|they|he|she|there|that|this|still|also|then|now|let|please|can|could|would|should|not|for|works?|nice|fine'
   || '|ok|okay|good|enough|at least|close|almost|maybe|a little|a bit|if|when|what|how|why|only|very|quite|rather|hey|never)\b'
   || '|\b(matters?|counts?|fascinates?|bothers?|interests?)\b',
   'fact', 3, 1, 0.75, 'active',
   'The capital of Australia is not Sydney but Canberra.', 'I''m not sure but I think the port is open.'),
  ('correction.isnt_its', 'correction', 'en', 31,
   '\b(isn''?t|is not|aren''?t|are not|wasn''?t|was not|''s not) ([^,;]+?)\s*[,;:-]\s*(it''?s|it is|they''?re|they are|it was'
   || '|he''?s|she''?s) \w.*',
   '\b(isn''?t|not) (only|just|that|so|really|about|bad|great|good|perfect|required|working|sure|easy|hard|too|very|my fault|fair|fun'
   || '|possible)\b|\b(it''?s|it is|they''?re) (just|only|about|fine|ok|okay|still|more|not|nice|good|because|too|so|really)\b',
   'fact', 3, 1, 0.75, 'active',
   'It isn''t Node 18, it''s Node 20.', 'It isn''t perfect, it''s just a first draft.'),
  ('correction.x_not_y', 'correction', 'en', 32,
   '^(the|my|our|his|her|its|this|it|that|we|i|they|he|she)\b[^,;]*(''(s|re|m)|\b(is|am|are|was|were|runs?|lives?|opens?|closes?'
   || '|starts?|uses?|goes|ends?|costs?|belongs?)) ([^,;]+?)(, (and )?| and )not (at |on |in |to |the '
   || '|a )?[\w.:/-]+( [\w.:/-]+)?( [\w.:/-]+)?$',
   '\bprefer|\bnot (sure|yet|really|bad|that|the best|even|too|so|very|always|necessarily|a problem|great|good|only|just|me|mine'
   || '|perfect|exactly)\b|\bsays?\b|(is|was|''s) (nice|fine|ok|okay|good|great|funny|hard|easy|about)\b',
   'fact', 3, 1, 0.6, 'candidate',
   'The test database is called kestrel_test, not test_kestrel.', 'The soup is nice, not great.'),
  ('correction.sebenarnya_id', 'correction', 'id', 20,
   '^(sebenarnya|sebetulnya|koreksi)\s*[:,]? \w.+',
   '^\w+\s*[:,]? (apa|apakah|bisa|bisakah|kenapa|mengapa|bagaimana|siapa|saya (rasa|pikir|ingin|mau)|tolong|tidak apa)\b',
   'fact', 3, 1, 0.8, 'active',
   'Sebenarnya nama tokonya Sinar Jaya.', 'Sebenarnya apa arti kata itu dalam kalimat?'),
  ('correction.bukan_id', 'correction', 'id', 30,
   '\bbukan ([^,;]+?),? (tapi|tetapi|melainkan) \w.+', '\bbukan (hanya|cuma|saja)\b',
   'fact', 3, 1, 0.8, 'active',
   'Bukan hari Senin tapi hari Rabu.', 'Bukan hanya murah tapi juga enak sekali.'),
  ('correction.tidak_id', 'correction', 'id', 31,
   '^(tidak|bukan|nggak)\s*[,:]\s*\w.+', '[,:]\s*(terima kasih|makasih|apa-apa|usah|perlu|masalah|saya|cukup|sudah)\b',
   'fact', 3, 1, 0.7, 'active',
   'Bukan, rapatnya di lantai tiga.', 'Tidak, terima kasih, sudah cukup.'),
  ('correction.nein_de', 'correction', 'de', 21,
   '^(nein|stimmt nicht|falsch)\s*[,.:;!-]+\s*\w.+',
   '^\w+( nicht)?\s*[,.:;!-]+\s*(danke|bitte|warte|moment|lass|ich (glaube|denke|meine|habe|brauche|mochte|will|wollte|weiss)'
   || '|das (reicht|ist alles|passt|war)|schon gut|kein|keine|alles|noch|nicht|aber|doch|ist|sind|hast|kannst)\b',
   'fact', 3, 1, 0.75, 'active',
   'Nein, die Sitzung ist am Dienstag.', 'Nein danke, das reicht mir für heute.'),
  ('correction.en_realidad_es', 'correction', 'es', 20,
   '^(en realidad|correccion)\s*[:,]? \w.+', '^en realidad,? (puedes|quiero|prefiero|creo|no se|que|como|por que|necesito|me gustaria|podrias)\b',
   'fact', 3, 1, 0.8, 'active',
   'En realidad, la tienda abre a las nueve.', 'En realidad, ¿puedes hacerlo más corto?'),
  ('correction.en_fait_fr', 'correction', 'fr', 20,
   '^en fait\s*[:,]? \w.+', '^en fait,? (peux|pouvez|pourrais|je (pense|crois|veux|voudrais|ne sais|prefere)|est-ce|non|oui|c''est (bon|bien|parfait)|laisse|fais|comment|pourquoi)\b',
   'fact', 3, 1, 0.8, 'active',
   'En fait, la boutique ouvre à dix heures.', 'En fait, peux-tu le raccourcir un peu ?'),
  ('correction.non_fr', 'correction', 'fr', 21,
   '^non\s*[,.:;!-]+\s*((c''est|ce n''est|la|le|les|l''|il|elle|mon|ma|mes|notre|nos|on)\b.+)', '\b(c''est (bon|tout|bien|parfait)|merci)\b',
   'fact', 3, 1, 0.75, 'active',
   'Non, le train part à huit heures.', 'Non merci, c''est tout pour aujourd''hui.');

-- Preferences: how a person wants things done, or usually does them.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('preference.never', 'preference', 'en', 10,
   '^((i want you to|make sure (to|you)|be sure to|you should|try to|we should) )?never (again )?(use '
   || '|again use )?(?P<what>[a-z].+)',
   '\bnever (mind|heard|been|seen|had|knew|thought|gonna|ever|was|were|got|did|met|saw|felt|found|went|too|a|an|in|to|on|once|before'
   || '|say never|have i|had i|will i|would|again will|again would|give up|stop (dreaming|believing|learning|trying)|doubt|forget|die'
   || '|gets?|want|\w*[^eb\W]ed)\b',
   'preference', 2, -1, 0.8, 'active',
   'Never commit generated files.', 'Never mind, I found the receipt.'),
  ('preference.always', 'preference', 'en', 11,
   '^((i want you to|make sure (to|you)|be sure to|you (should|need to|have to)|try to|we (should'
   || '|need to)) )?always (use |using )?(?P<what>[a-z].+)',
   '\balways (a|an|the same|been|wanted|nice|fun|good|glad|happy|thought|here|there|something|so|in my|on my|welcome|interesting|better'
   || '|worth|great|on time|late|available|looking|nervous|liked|loved|wondered|up|down|ready|happy|a pleasure|look|looks)\b',
   'preference', 2, 1, 0.8, 'active',
   'Always use type hints in Python code.', 'I don''t always use tabs in my files.'),
  ('preference.dont_use', 'preference', 'en', 12,
   '^(do not|don''?t|dont|stop|avoid|quit) (ever )?us(e|ing) (?P<what>\S.+)', null,
   'preference', 2, -1, 0.75, 'active',
   'Don''t use moment.js, we moved to date-fns.', 'They do not use moment.js any more.'),
  ('preference.use_always', 'preference', 'en', 13,
   '^use (?P<what>\S.*?) (always|every time|everywhere)\b', null,
   'preference', 2, 1, 0.8, 'active',
   'Use two spaces always in the YAML files.', 'The kids use two spoons, it is always fun.'),
  ('preference.prefer', 'preference', 'en', 20,
   '\b(i|we)(''d| would)? ((really|much|generally|usually|always|strongly|still|also|rather|normally|personally|definitely'
   || '|highly|greatly) )*prefer (?P<what>\S.+)',
   '\bprefer ((it|this|that|them|both|neither|either)\b[^a-z]*($|,)|not to\b|to (wait|stay|go|leave|sleep|think|talk|meet|stop)\b'
   || '|if\b|either\b|neither\b|the (second|first|third|other|latter|former|left|right)( (one|option|version)\b|\s*($|,)))',
   'preference', 2, 1, 0.9, 'active',
   'I prefer pytest over unittest for anything new.', 'We no longer prefer Helm, but the charts exist.'),
  ('preference.prefer_order', 'preference', 'en', 20,
   '^(always )?(prefer|favou?r) (?P<what>\S.+)', '^\w+ (not|to not)\b',
   'preference', 2, 1, 0.85, 'active',
   'Prefer composition over inheritance.', 'Some people prefer composition over inheritance.'),
  ('preference.rather', 'preference', 'en', 21,
   '\b(i|we)(''d| would) (much )?rather (?P<what>\S.+ than \S.+)', '\brather (not|wait|stay|go|die|you|say|think|sleep|talk)\b',
   'preference', 2, 1, 0.6, 'candidate',
   'I''d rather have one big file than ten tiny ones.', 'I would rather not talk about that now.'),
  ('preference.my_favourite', 'preference', 'en', 21,
   '\b(my|our) (favou?rite|preferred|preference|personal preference)\b(?P<what>.*?) (is|are) \S.+',
   '\b(favou?rite|preferred) (part|bit|thing|moment|line|joke|one|memory|scene|chapter|teacher|aunt|uncle)\b',
   'preference', 2, 1, 0.8, 'active',
   'My favourite colour scheme is solarized light.', 'My favourite part is the ending, well done.'),
  ('preference.dislike', 'preference', 'en', 22,
   '\b(i|we) (really |just )?((do not|don''?t|dont) (really )?(like|want any|want to see)|hate|dislike'
   || '|can''?t stand) (?P<what>\S.+)',
   '\b(like|hate|dislike|stand) (it|this|that|these|those|how|what|where|your|the|him|her|them|you|to (say|admit|bother|ask'
   || '|interrupt|wait)|when|being)\b|\bwant any (trouble|help|more|problems|part)\b',
   'preference', 2, -1, 0.6, 'candidate',
   'I don''t like nested ternaries.', 'I don''t like this version of the logo.'),
  ('preference.like_when', 'preference', 'en', 23,
   '^(i|we) (really )?(like|love|hate|appreciate) it when (?P<what>\S.+)', null,
   'preference', 2, 1, 0.7, 'candidate',
   'I like it when you answer with a table first.', 'I like it, when can we start with it?'),
  ('preference.i_like', 'preference', 'en', 23,
   '^(i|we) (really |generally |usually )?like (?P<what>\S.+)',
   '\blike (it|this|that|these|those|how|what|where|your|the|him|her|them|you|both|all|either|everything|a lot|to (think|imagine|know'
   || '|believe|say|thank))\b',
   'preference', 2, 1, 0.6, 'candidate',
   'I like concise variable names and short functions.', 'I like how the second chart turned out.'),
  ('preference.should_never', 'preference', 'en', 30,
   '\b(should|shall|ought to) (never|not ever) (use )?\w.+', '\bnever (have|had|been)\b',
   'preference', 2, -1, 0.75, 'active',
   'Tests should never touch the network.', 'I should never have sold that bicycle.'),
  ('preference.should_always', 'preference', 'en', 31,
   '\b(should|shall|ought to) always (use )?\w.+', '\balways (have been|feel)\b',
   'preference', 2, 1, 0.75, 'active',
   'Functions should always have a docstring.', 'Should we always escape HTML in templates?'),
  ('preference.from_now_on', 'preference', 'en', 32,
   '^(from now on|going forward|from here on|in (the )?future)\s*,? (please )?(?P<what>[a-z].+)',
   '^(from now on|going forward|from here on|in (the )?future)\s*,? (i|it|its|the|this|there|they|he|she|a|an|most|many|people|my'
   || '|your|everything|nothing|things|life|cars|that|is|are|will|\w+ (can|will|may|might|is|are|was|were|has|had|gets?))\b',
   'preference', 2, 1, 0.8, 'active',
   'From now on, write the commit messages in English.', 'From now on it gets easier, the teacher said.'),
  ('preference.by_default', 'preference', 'en', 32,
   '^(by default|as a rule)\s*,? (please )?(?P<what>(use|answer|reply|write|show|include|send|assume|speak|keep|format|return'
   || '|give|start|create|make|put|add|sort|group|convert|translate|run|book|order|pick|choose|take|open|set|leave|hide|round|save|ask)\b.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'By default, use the Lyon warehouse for stock checks.', 'By default the test runner captures the output.'),
  ('preference.until_further_notice', 'preference', 'en', 33,
   '^(?P<what>[a-z].+?),? (from now on|going forward|from here on out|until further notice|by default)(,? (please|pls|thanks'
   || '|thank you))?(:.*)?$',
   '\b(will|won''?t|going to|i''?ll|was|were|is|are|has|had|it|does|comes|uses)\b',
   'preference', 2, 1, 0.75, 'active',
   'Please answer in bullet points from now on.', 'The shop is closed until further notice.'),
  ('preference.whenever', 'preference', 'en', 34,
   '^(whenever|every time|each time|(before|after) (every|each|any)) ([^,]+?),? (please |always |first )?'
   || '(run|check|update|regenerate|bump|show|ask|add|write|make|use|test|format|commit|tell|remind|start|open|close|send|print|create'
   || '|rebuild|verify|validate|log|tag|notify|post|mention|attach|copy|move|upload|announce|restart|reset|lock|wash|thank|push|pull|sync'
   || '|save|back up|review|read|list|include|sign|count|confirm|clean|compare|export|translate) \S.*',
   ',\s*(i|we|it|they|he|she|the|my|our|you|there|that|this|people)\b',
   'workflow', 3, 1, 0.7, 'active',
   'Before every commit, run the linter.', 'Every time I open it, the app crashes.'),
  ('preference.i_never', 'preference', 'en', 40,
   '(^|, (and |but |so )?)(i|we) never (use )?(?P<what>[a-z].+)',
   '\bnever (\w*[^eb\W]ed|got|get|said|say|saw|see|knew|know|thought|think|had|have|was|were|did|do|went|came|made|took|felt|found|find'
   || '|heard|hear|told|ever|mind|meant|understood|understand|wrote|read|sent|bought|brought|ate|won|lost|left|gave|forgot|forget|ran|quite'
   || '|again|really|expect|hope|manage|remember|seem|could|would|will|should|been|want to (go|leave|lose|do|be|feel|hear|come)|wants'
   || '|fully|properly|actually|once|met|paid|spoke|chose|began|grew|let|put it)\b',
   'preference', 2, -1, 0.65, 'candidate',
   'I never use semicolons in TypeScript.', 'I never got your invoice, please send it again.'),
  ('preference.i_always', 'preference', 'en', 41,
   '(^|, (and |but |so )?)(i|we) always (use )?(?P<what>[a-z].+)',
   '\balways (\w*[^eb\W]ed|get|got|forget|confuse|mix|lose|lost|thought|think|had|was|were|knew|know|felt|feel|seem|end up|wonder'
   || '|have (trouble|problems|difficulties|to|a hard|issues)|struggle|fail|say|said|remember|see|saw|hear|find|found|go|went|came|did'
   || '|took|told|made|make (mistakes|the same)|gave|ran|ate|wore|bought|brought|kept|left|stood|sat|paid|sent|spent|wrote|meant|hope'
   || '|love|enjoy|am|are|run into|stumble|mess|look|looking|want|dream)\b',
   'preference', 2, 1, 0.65, 'candidate',
   'I always use tabs in Go files.', 'I always forget the syntax for heredocs.'),
  ('preference.lebih_suka_id', 'preference', 'id', 20,
   '\b(saya|aku|kami|kita) (lebih (suka|memilih|senang)|memilih) (?P<what>\w.+)', '\btidak lebih\b',
   'preference', 2, 1, 0.9, 'active',
   'Saya lebih suka jawaban yang singkat.', 'Saya tidak lebih suka yang mana pun.'),
  ('preference.selalu_id', 'preference', 'id', 11,
   '^selalu (gunakan|pakai|pakailah)?\s*(?P<what>\w.+)', '^selalu (ada|saja|begitu|gagal|begini)\b',
   'preference', 2, 1, 0.8, 'active',
   'Selalu gunakan bahasa Indonesia yang baku.', 'Saya tidak selalu pakai tabel di laporan.'),
  ('preference.jangan_pakai_id', 'preference', 'id', 12,
   '^jangan (gunakan|pakai|menggunakan|memakai) (?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Jangan gunakan singkatan di surat resmi.', 'Jangan khawatir, masih banyak waktu kok.'),
  ('preference.bevorzuge_de', 'preference', 'de', 20,
   '\b(ich|wir) (bevorzuge|bevorzugen) (?P<what>\w.+)|\bbevorzuge ich (?P<other>\w.+)', '\b(kein|keine|keinen|nicht) (von|mehr)\b',
   'preference', 2, 1, 0.9, 'active',
   'Ich bevorzuge kurze Antworten ohne Einleitung.', 'Bevorzugst du kurze oder lange Antworten?'),
  ('preference.immer_de', 'preference', 'de', 11,
   '^(verwende|benutze?|nutze?|schreibe?|nimm|antworte|zeige?|nenne?|gib|setze?|formuliere) (bitte )?(mir )?(immer|stets'
   || '|grundsatzlich) (?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Bitte verwende immer die Sie-Form in Kundenmails.', 'Muss ich immer die lange Form verwenden?'),
  ('preference.niemals_de', 'preference', 'de', 10,
   '^(verwende|benutze?|nutze?|schreibe?|nimm|zeige?|nenne?|gib|setze?|losche?) (bitte )?(nie|niemals|nie wieder) (?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Verwende niemals Gleitkommazahlen für Geldbeträge.', 'Das habe ich noch nie verwendet, ehrlich.'),
  ('preference.prefiero_es', 'preference', 'es', 20,
   '\b(prefiero|preferimos) (?P<what>\w.+)', '\b(prefiero|preferimos) (que no|esperar|no (decir|saber))\b|^no prefiero',
   'preference', 2, 1, 0.9, 'active',
   'Prefiero respuestas cortas y con ejemplos.', '¿Prefieres respuestas cortas o largas?'),
  ('preference.siempre_es', 'preference', 'es', 11,
   '^((usa|utiliza|escribe|responde|pon|muestra|emplea) siempre|siempre (usa|utiliza|escribe|responde|pon|muestra'
   || '|emplea)) (?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Usa siempre el sistema métrico en las recetas.', '¿Debo usar siempre el sistema métrico?'),
  ('preference.nunca_es', 'preference', 'es', 10,
   '^(nunca|jamas|no) (uses|utilices|escribas|pongas|borres|muestres|incluyas|menciones|envies) (nunca )?(?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Nunca uses mayúsculas en los títulos.', 'Nunca he usado ese programa, la verdad.'),
  ('preference.prefere_fr', 'preference', 'fr', 20,
   '\b(je prefere|nous preferons) (?P<what>\w.+)', '\bprefere (ne pas|attendre|pas)\b',
   'preference', 2, 1, 0.9, 'active',
   'Je préfère les réponses courtes.', 'Tu préfères les réponses courtes ?'),
  ('preference.toujours_fr', 'preference', 'fr', 11,
   '^(utilise|utilisez|ecris|ecrivez|reponds|repondez|mets|mettez|emploie|employez|affiche) toujours (?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Utilise toujours le vouvoiement avec les clients.', 'Elle utilise toujours ce vieux téléphone.'),
  ('preference.jamais_fr', 'preference', 'fr', 10,
   '^(n''|ne )(utilise|utilisez|ecris|ecrivez|mets|mettez|emploie|employez|supprime|mentionne|cite) jamais (?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'N''utilise jamais d''anglicismes dans mes textes.', 'Je n''utilise jamais ce mot, enfin presque.');

-- Asked to remember: stored as what the rest of the clause is, a plain fact if no other rule knows it.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('remember.this', 'remember', 'en', 10,
   '^(remember|memori[sz]e|save|store|keep|note) (this|that|the following|these|it)( (down|fact|facts|rule|rules'
   || '|points?))?( (to|in) (your |the )?memory| for (later|next time|the future))?\s*[:,-]\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Remember this: the staging password rotates every Monday.', 'She will remember this day for ever.'),
  ('remember.label', 'remember', 'en', 11,
   '^(remember|reminder for you|to remember|memo)\s*:\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Remember: Lena''s judo is on Tuesdays at 17:00.', 'Do you remember: was it red or blue?'),
  ('remember.that', 'remember', 'en', 12,
   '^((i want you to|i need you to|make sure (to|you)|you (should|must|have to|need to|can)|always|just|try to) )?'
   || '(remember|keep in mind|bear in mind|note|take note|make a note|don''?t forget|do not forget|never forget'
   || '|memori[sz]e) that (?P<what>\S.+)',
   '\b(remember|forget|mind) that (time|day|one|guy|bug|night|summer|moment|feeling)\b',
   'fact', 2, 1, 1.0, 'active',
   'Remember that our fiscal year starts in April.', 'I remember that the shop had a green door.'),
  ('remember.to_always', 'remember', 'en', 13,
   '^(remember|don''?t forget|do not forget) to (?P<what>(always|never) \S.+)', null,
   'preference', 2, 1, 1.0, 'active',
   'Remember to always ask me before you send an email.', 'Remember to breathe, I tell myself.'),
  ('remember.in_memory', 'remember', 'en', 14,
   '^(save|add|store|commit|put|write) (this |the following )?(to|in|into) (your |the )?memory\s*([:,-]'
   || '|\bthat\b)\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Add to memory: the wholesale price list is in the Drive folder.', 'Store in memory chips is cheaper now.'),
  ('remember.for_reference', 'remember', 'en', 15,
   '^((for (future|your|later) reference|for the record|for your information)\s*[:,-]|(fyi|just so you know'
   || '|so you know)\s*[:,-]?) (?P<what>\S.+)',
   '\b(i think|i guess|i(''?m| am) (not|just))\b',
   'fact', 1, 1, 0.7, 'candidate',
   'For future reference: the printer on floor 2 is called HPL-221.', 'For the record player I need a belt.'),
  ('remember.it', 'remember', 'en', 16,
   '^(remember|save|memori[sz]e|store|note) (this|that|it)( (down|forever|in future|from now on)| for (later|next time'
   || '|the future|me)| (to|in) (your |the )?memory|,? please|,? ok(ay)?)*$', null,
   'fact', 2, 1, 1.0, 'active',
   'I use zsh on all my machines. Remember this.', 'It is a day to remember, this one.'),
  ('remember.ingat_id', 'remember', 'id', 12,
   '^(ingat|ingatlah|catat|catatlah)\s*(ini\s*[:,]|bahwa\b|kalau\b|:)\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Ingat ini: gudang tutup setiap hari Minggu.', 'Saya tidak ingat nama tokonya lagi.'),
  ('remember.merk_dir_de', 'remember', 'de', 12,
   '^(merk(e)? dir|denk (bitte )?daran|vergiss nicht|beachte)\s*(bitte\s*)?([:,]\s*)?(dass )?(?P<what>\S.+)', '\b(zu|das|die|den) (kaufen|holen)\b',
   'fact', 2, 1, 1.0, 'active',
   'Merk dir: die Lieferung kommt donnerstags.', 'Das merke ich mir schon irgendwie.'),
  ('remember.recuerda_es', 'remember', 'es', 12,
   '^(recuerda|recuerde|ten en cuenta|no olvides|apunta|anota)\s*(que\b|:)\s*(?P<what>\S.+)', null,
   'fact', 2, 1, 1.0, 'active',
   'Recuerda que la tienda cierra a las ocho.', 'Me recuerda que soy un despistado.'),
  ('remember.souviens_toi_fr', 'remember', 'fr', 12,
   '^(souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|n''oublie pas|n''oubliez pas)\s*(bien )?(que\b|qu''|:)\s*(?P<what>\S.+)', null,
   'fact', 2, 1, 1.0, 'active',
   'Souviens-toi que le budget est de 3000 euros.', 'Je me souviens que la porte était verte.');

-- The agent's own mistakes, read from what it says. Stored as an episode, not as something held true.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example, counter_example)
values
  ('self_error.admitted', 'self_error', 'en', 10,
   '\b(i (made|introduced|caused|had) (a |an |the |another )?(\w+ )?(mistake|error|bug|regression|typo)'
   || '|my (mistake|error|bad|fault)|i was (wrong|mistaken)'
   || '|i (misread|misunderstood|overlooked|forgot|broke|mistakenly|accidentally|incorrectly|wrongly)\b|i should(n''?t'
   || '| not)? have\b|i apologi[sz]e for)',
   '\b(handling|if i (made|was)|unless)\b', 'self_error', 1, 1, 0.8, 'active', 'failure',
   'I made a mistake in the migration: the column is nullable.',
   'I added error handling for the mistake that users often make.'),
  ('self_error.failed', 'self_error', 'en', 20,
   '\b(the|my|that|this) (\w+ )?(command|build|tests?|attempt|approach|edit|patch|fix|script|call|request|migration|query|change'
   || '|import|deployment) (\w+ )?(failed|fails|errored|did(n''?t| not) work|broke|crashed|timed out|was rejected)\b',
   '\b(no longer|if|when|whenever)\b', 'self_error', 1, 1, 0.6, 'candidate', 'failure',
   'The build failed because the path in the script does not exist.',
   'When the build failed last year, your team added this check to the pipeline.'),
  ('self_error.tried_again', 'self_error', 'en', 30,
   '\b(let me|i''?ll|i will|i am going to|i''?m going to) (try|retry|redo|correct|fix) (again|it again|that again|this again'
   || '|a different|another|once more|that mistake|my|with a different|it with|that by)\b', null,
   'self_error', 1, 1, 0.6, 'candidate', 'learning',
   'Let me try again with the absolute path of the configuration.',
   'You can try again tomorrow with the absolute path of the file.');

-- Plain statements: who somebody is, what was decided, how people want things done, what is so. English first, then a few
-- rows for each of eight languages; what no row knows is left to the scorer (cogmem/hear/scorer.py).
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('profile.name', 'profile', 'en', 10,
   '^(my (full |first |last |middle |real )?name(''s| is)|i(''m| am) called|i go by|(people|everyone'
   || '|friends) calls? me|my pronouns are) (?P<what>\S.*)',
   '\b(missing|wrong|misspelled|too|taken|in the|on the|nice)\b',
   'profile', 2, 1, 0.9, 'active',
   'My name is Ada.', 'My name is missing from the list.'),
  ('profile.am_a', 'profile', 'en', 20,
   '^(i(''m| am| work as)|im|as) (an?|the) ([\w-]+ )*?[\w-]*(er|or|ist|ian|nurse|student|chef|cook'
   || '|dad|mum|mom|parent|lead|vegan|ceo|cto|cfo|lawyer|vet|architect|scientist|analyst|consultant|accountant|assistant'
   || '|founder|phd|expat|introvert|morning person|night owl)\b',
   '\b(user|admin|customer|bit|little|another|over|order|error|number|folder|server|computer|either|never|ever|other'
   || '|further|for this|in our|role|villain|character|knight|wizard|reminder|disaster|monster|winner|loser|better|sucker'
   || '|believer)\b|\bi (can|want) (reset|ban|see|to)\b',
   'profile', 2, 1, 0.85, 'active',
   'I''m a backend developer at a small insurance company.', 'As a user I can reset my password.'),
  ('profile.trait', 'profile', 'en', 21,
   '^(since |because )?(i(''m| am)|im|we(''re| are)) ((mildly|severely|also|strictly|partly|badly|a'
   || '|not a) )?(vegan|vegetarian|pescatarian|allergic to|colou?r[\s-]?blind|dyslexic|deaf|blind|visually impaired'
   || '|hard of hearing|left-handed|diabetic|celiac|coeliac|lactose intolerant|gluten|pregnant|muslim|jewish|christian'
   || '|retired|married|divorced|based in|originally from|from \w+$|self[\s-]taught|new to|native speaker'
   || '|responsible for|in charge of|\d\d( years old)?$)',
   '\b(this file|this code|future lol|here)\b',
   'profile', 2, 1, 0.9, 'active',
   'I''m allergic to peanuts.', 'I''m confused by this error.'),
  ('profile.lives', 'profile', 'en', 22,
   '^(i|we) (currently |now |both |mostly |just )?(live|work|teach|study|grew up|was (born'
   || '|raised)|come|moved|rent|own) (in|at|near|on|from|to|for|as|with|part time|nights|alone|an?)\s*(?P<what>\S.*)',
   '\b(this|today|tonight|tomorrow|yesterday|next|the (next|other|second|first|bug|login|same|sofa)|step|topic|room'
   || '|stuff|a fix|it)\b|\bwork on (it|that)\b',
   'profile', 2, 1, 0.85, 'active',
   'I live in Lisbon.', 'We moved to the next topic.'),
  ('profile.kin', 'profile', 'en', 23,
   '^(my|our) (new |old |elder |younger |best )?(wife|husband|partner|son|daughter|kids?|child(ren)?'
   || '|toddler|baby|mother|father|mum|mom|dad|sister|brother|grand(ma|pa|mother|father)|parents|dogs?|cats?|horse|boss'
   || '|manager|team lead|landlord|dentist|doctor|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer'
   || '|therapist)(''s (name|birthday))? (is|are|was born|has|have|works?|lives?|speaks?|plays?|hates?|loves?'
   || '|goes|can''t|doesn''t) \S.*',
   '\b(just|now|today|tonight|tomorrow|yesterday|here|late|on the phone|calling|coming|waiting|right)\b',
   'profile', 2, 1, 0.85, 'active',
   'My daughter''s name is Ines.', 'My brother just called, one moment.'),
  ('profile.has', 'profile', 'en', 24,
   '^(i|we)(''ve| have) (got )?(an? )?((two|three|four|five|\d+|small|six year old|peanut|nut|bad|new'
   || '|golden) )*((wife|husband|partner|son|daughter|kids?|child(ren)?|toddler|baby|mother|father|mum|mom|dad'
   || '|sister|brother|grand(ma|pa|mother|father)|parents|dogs?|cats?|horse|boss|manager|team lead|landlord|dentist|doctor'
   || '|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer|therapist)|twins?|allergy|asthma|adhd|diabetes'
   || '|celiac|migraines?|degree|phd|knee|back|retriever|greenhouse|garden)\b',
   '\b(question|problem|error|test|just|today)\b',
   'profile', 2, 1, 0.8, 'active',
   'I have two kids.', 'I have two questions.'),
  ('profile.diet', 'profile', 'en', 25,
   '^(i|we) (do not|don''?t|can''?t|cannot|never|only) (eat|drink|drive|speak|smoke|fly'
   || '|work on \w+days?)\b',
   '\b(today|now|tonight|this)\b',
   'profile', 2, -1, 0.85, 'active',
   'I don''t eat pork.', 'I can''t eat now, I''m debugging.'),
  ('decision.decided', 'decision', 'en', 10,
   '^((after|in|for)\s[^,]*,? )?(so )?(we|i|the (team|board|client|customer|committee|company))(''ve'
   || '| have| has)? (all |also |now |finally )?(decided|agreed|opted|voted|resolved|chosen|chose|settled'
   || '|standardi[sz]ed|consolidated|ruled out|made up my mind|signed off|signed with)\b\s*(?P<what>.*)',
   '\b(pizza|lunch|dinner|tonight|today|for now|to stop|to leave|a break|to talk|to meet|to skip|bus|almost|wrong)\b',
   'decision', 2, 1, 0.85, 'active',
   'We decided to use Postgres.', 'We decided to have pizza tonight.'),
  ('decision.switched', 'decision', 'en', 11,
   '^(we|i)(''ve|''re| have| are| just)? (now |finally |also )?((switch(ed|ing)|migrat(ed'
   || '|ing)|mov(ed|ing)) ((\w+ )*?from \S+ to|off|over to|everything)|replac(ed|ing) \S.*\s(with|by)'
   || '|dropp(ed|ing) (the )?(support|python|node|php|ie|internet|android|ios)|deprecat(ed|ing)'
   || '|going (all in|with)|sticking (with|to)|standardi[sz]ing on|adopt(ed|ing)|retir(ed|ing) the'
   || '|phas(ed|ing) out|stopped (using|supporting)|keeping the) (?P<what>\S.*)',
   '\b(first|second|this|that one|option two here|paragraphs|button|for now)\b',
   'decision', 2, 1, 0.85, 'active',
   'We moved from Jenkins to GitHub Actions.', 'We moved the button to the left.'),
  ('decision.will', 'decision', 'en', 12,
   '^(we (will not|won''?t|are not going to|aren''?t going to)|we(''re| are) not (going to'
   || '|renewing|supporting|using|doing)) (?P<what>\S.*)',
   '\b(make it|finish|today|tonight|tomorrow|now|get there|this)\b',
   'decision', 2, -1, 0.75, 'active',
   'We won''t support Windows.', 'We won''t finish this today.'),
  ('decision.verdict', 'decision', 'en', 13,
   '^((the |final |ok )?(decision|verdict|conclusion|resolution|outcome of the vote)( (is|was'
   || '|made)\b,?| (on|of)\s[^:]*:|\s*[,:])\s*\w|it(''s| was|''s been| has been) (decided|settled'
   || '|official)\b|the plan is to\s|let''s go with\s.*\b(final|decided|settled)\b)',
   null,
   'decision', 2, 1, 0.85, 'active',
   'Decision made, Tailwind it is.', 'The decision tree is too deep.'),
  ('decision.as_of', 'decision', 'en', 14,
   '^(as of|starting( (with|from|on))?|effective|from) (today|monday|tuesday|wednesday|thursday|friday'
   || '|january|february|march|april|may|june|july|august|september|october|november|december|next \w+|version \S+'
   || '|v?\d[\d.]*)\b[^?]*\b(is|are|we|our|the)\b \S.*',
   '\b(vacation|out of office|list|loop|index|row|line)\b',
   'decision', 2, 1, 0.75, 'active',
   'As of version 2.0 we require Node 20.', 'Starting from row 2 the list is empty.'),
  ('preference.for_good', 'preference', 'en', 90,
   '\b(from (now|here) on(wards?)?|going forward|(in|for) (the |all )?future( \w+)?'
   || '|next time)\b',
   '\b(movie|novel|story|plan the|in the near future|job|worried|next time (it|this|that))\b|\b(host|server'
   || '|is called|are called)\b',
   'preference', 2, 1, 0.85, 'active',
   'Next time show me the plan before you edit anything.', 'In the near future robots will cook.'),
  ('preference.emojis', 'preference', 'en', 14,
   '^(please )?(no|less|fewer|without|skip( the)?|drop the|cut( out)?( the)?|avoid|stop (using'
   || '|with|adding|writing|putting)( the)?) (more )?(emojis?|smileys?|exclamation marks?|disclaimers?'
   || '|small talk|filler|jargon|summar(y|ies)|apolog(y|ies)|flattery|enthusiasm|preamble|introductions?|markdown'
   || '|bullet points?|comments?|docstrings?|abbreviations?|semicolons?|co-authored-by\S*)\b.*',
   '\b(in this|here|for this)\b',
   'preference', 2, -1, 0.85, 'active',
   'No emojis please.', 'No comments in this file?'),
  ('preference.dont_emoji', 'preference', 'en', 14,
   '^(do not|don''?t|dont|stop|quit|you (don''?t (have|need) to|needn''?t|needn''t)) (always |ever '
   || '|keep )?(use|using|add|adding|put|putting|write|writing|apologi[sz]e|apologi[sz]ing|thank|thanking|greet'
   || '|explain(ing)? what|summari[sz](e|ing)|repeat(ing)?|ask (me )?(twice|for permission)|guess(ing)?'
   || '|sugar-?\s?coat|dumb|reformat|agree with me)\b.*',
   '\b(here|this|that one|for now|yet|the (attached|first|second|other)|above|below|in (line|the (first|second'
   || '|example|header)))\b|\ba library\b',
   'preference', 2, -1, 0.8, 'active',
   'Stop apologising all the time.', 'Don''t use a library for this one.'),
  ('preference.hate_when', 'preference', 'en', 24,
   '^(i (really |just )?(hate|dislike|can''?t stand|don''?t like) it when|it (drives me'
   || '|annoys me|bothers me|bugs me)\b.*\bwhen|what bugs me is when) (?P<what>\S.+)',
   null,
   'preference', 2, -1, 0.85, 'active',
   'It drives me crazy when you leave trailing whitespace.', 'It bugs me a lot.'),
  ('preference.want_answers', 'preference', 'en', 25,
   '^i(''d like| would like| want| always want| expect) ((always|all) )?(your |my '
   || '|the )?(answers?|replies|responses|commit messages?|commits|explanations|summaries|(american|british|metric'
   || '|conventional)\b|you to (always|never|double|call|address|ask|tell|use|speak|answer|write|keep|be'
   || '|stop))\b\s*(?P<what>.*)',
   '\b(this|these|that one|here|now|today)\b',
   'preference', 2, 1, 0.85, 'active',
   'I want answers in German.', 'I want you to refactor this method.'),
  ('preference.call_me', 'preference', 'en', 26,
   '^(you can |just )?(call|address) me (?P<what>\S.*)',
   '\b(later|back|tomorrow|today|a taxi|at \d|when|if|for this|in this|maybe)\b',
   'preference', 2, 1, 0.85, 'active',
   'Call me Sam.', 'Call me when it''s done.'),
  ('preference.ask_first', 'preference', 'en', 27,
   '^((always|please) )?(ask|check with|tell|show|warn) me ([^,]*\s)?(first|before)\b.*'
   || '|^when(ever)? you(''re| are)? (unsure|not sure|in doubt)\b.*',
   '\b(this|lunch|today|the (first|second) (line|row|item))\b',
   'preference', 2, 1, 0.8, 'active',
   'Ask me before you delete anything.', 'Tell me the first line.'),
  ('preference.answer_in', 'preference', 'en', 95,
   '^((always|please) )?(answer|reply|respond|speak|write|talk|explain)\b[^.]*\b(always|only in|in (german'
   || '|english|french|spanish|italian|portuguese|dutch|chinese|japanese|the language i))\b.*',
   '\b(this|him|her|them|mail|email|letter|essay|poem|story|sentence|word|ticket|customer|card|function|test|script'
   || '|regex|config)\b',
   'preference', 2, 1, 0.8, 'active',
   'Reply in German.', 'Reply to this mail in German.'),
  ('preference.keep_answers', 'preference', 'en', 29,
   '^(keep|make) (your|all|the|every|my) (answers?|replies|responses|explanations|commit messages|functions'
   || '|lines|paragraphs|tone|language)\b\s*(?P<what>.*)',
   '\b(this|here|function (return|final))\b',
   'preference', 2, 1, 0.8, 'active',
   'Keep your replies short.', 'Keep the tone friendly in this message.'),
  ('preference.x_not_y', 'preference', 'en', 30,
   '^(use )?(?P<what>tabs|spaces|single quotes|double quotes|metric|pathlib|pytest|yarn|pnpm|npm|snake_case'
   || '|camelcase|\w+),? (not|over|instead of|rather than|never) (tabs|spaces|double|single|imperial|os\.path'
   || '|unittest|npm|yarn|pnpm|camelcase|snake_case|bullet\w*|paragraphs)\b.*',
   '\b(here|this|not (this|that|here|now|yet))\b',
   'preference', 2, 1, 0.8, 'active',
   'Use tabs, not spaces.', 'Use the second one, not the first.'),
  ('preference.we_use_never', 'preference', 'en', 31,
   '^(in this \w+ |here )?we (only |always |exclusively )?use (?P<what>\S.*?)(,? (never|not'
   || '|only|always|exclusively)\b.*| (here|in this (repo|repository|project|codebase|monorepo))\b.*)$',
   '\b(variable|loop|function|import)\b',
   'convention', 3, 1, 0.85, 'active',
   'We use pnpm here, never npm.', 'We use the variable x here only once.'),
  ('preference.we_dont', 'preference', 'en', 32,
   '^((in|at|on) (this|our|the) \w+ )?(we|nobody|no one) (never|only|always|(do not'
   || '|don''?t)( ever)?) (accept|add|allow|buy|call|cache|commit|delete|deploy|discount|do|email|expose|give'
   || '|hardcode|hire|import|joke|log|merge|mix|mock|push(es)?|rebase|release|ship|squash|store|support|test|throw|touch'
   || '|use|write)\b\s*(?P<what>.*)',
   '\b(here|today|yet|this line|reach|get to|any more)\b',
   'convention', 3, -1, 0.75, 'active',
   'We don''t deploy on fridays.', 'We never get to the else branch.'),
  ('correction.no_longer', 'correction', 'en', 40,
   '^(that(''s| is) (outdated|not true any\s?more|stale|the old)\b|(the|my|our|i|we'
   || '|[a-z]+)\b[^?]*\b(no longer\b|(n''?t|not)\s[^,;?]*\b(any\s?more|any longer)\b))',
   '\b(works?|compiles?|understand|need this|see the|care|load(s|ing)?|fails?|happens?|prefer)\b',
   'fact', 3, 1, 0.8, 'active',
   'We no longer use Jenkins.', 'It no longer compiles.'),
  ('correction.now', 'correction', 'en', 41,
   '^(the|my|our|we|i)\b[^?,]*\b((is|are|''s|''re|am) (now (called|at|on|in|named|run|owned|\d)'
   || '|called \S+ now)|was renamed to|(is|are) \S+( \S+)? now(, not\b.*)?$|(has|have) (moved'
   || '|changed)|moved to \w+$|changed from\b.*\bto\b|used to be)\b.*',
   '\b(green|red|working|broken|empty|fixed|done|fine|good|ready|gone|failing|slow|fast|faster|down|running|live|step'
   || '|next|here|better|topic|room|clear|blank|file|line|look|again|button)\b',
   'fact', 3, 1, 0.75, 'active',
   'The staging server is called stork now.', 'The build is green now.'),
  ('correction.mixing', 'correction', 'en', 42,
   '^(you(''re| are)? (mix(ed|ing) (up|things up)|misremember(ed)?|confus(ed|ing)|keep calling'
   || '|got that wrong|have my name wrong)|(sorry|scratch|forget|ignore)\b.*\b(i meant|what (i'
   || '|you) (said|know)|not)\b|i (mis-?spoke|was wrong|got it wrong|made a mistake earlier)'
   || '|make that \d)',
   '\b(surgery|try|this line)\b',
   'fact', 3, 1, 0.8, 'active',
   'You misremember, the cat is called Miso.', 'Ignore the second error for now.'),
  ('statement.called', 'statement', 'en', 50,
   '^(the|our|my|this) ([\w''/-]+ )+?(is|are) (called|named|hosted|deployed|written|maintained|owned|stored'
   || '|kept|built|located|headquartered|generated|signed|due|closed|open)\b (?P<what>\S.*)',
   '\b(variable|function|method|button|when|twice|never|above|below|tutorial|below|again|here)\b',
   'fact', 1, 1, 0.7, 'active',
   'The staging server is called heron.', 'The method is called when the button is clicked.'),
  ('statement.runs_on', 'statement', 'en', 51,
   '^((the|our|my|all) )?([\w''./-]+ )+?(listens?|runs?|lives?|sits|starts?|begins?|opens|closes|expires?'
   || '|points|belongs?|goes|go) (on|in|at|to|until|through|after|under) (?P<what>\S.*)',
   '\b(i|you|he|she|they|it|this|that|seeing|netflix|loop|script|function|test|line|page|nothing|let''s|user|error'
   || '|where|which|when|if|my machine|forever|ages|circles)\b',
   'fact', 1, 1, 0.7, 'active',
   'The api listens on port 8080.', 'The loop runs on line 3 forever.'),
  ('statement.owns', 'statement', 'en', 52,
   '^[a-z][\w-]+ (owns|maintains|looks after|takes care of|is (responsible|in charge'
   || '|on call)\b( (for|of))?|handles|manages|leads) (?P<what>\S.*)',
   '^(it|this|that|he|she|who|which|nobody|everyone|react|git|someone|redis|docker|kubernetes|python)\b',
   'fact', 1, 1, 0.75, 'active',
   'Marta owns billing.', 'It handles null badly.'),
  ('statement.we_use', 'statement', 'en', 53,
   '^we (use|run|host|build with|deploy (with|on|to|via)|bill|ship|sell|keep|meet|have) (?P<what>\S.*\s(for'
   || '|as|in|on|every|about|with|in prod)\b.*|[\w.-]+(\s[\d.]+)?)$',
   '\b(variable|loop|here|now|today|this|that|i|problem|error|errors|bug|failing|time|fun|demo|test|tests|it)\b',
   'fact', 1, 1, 0.7, 'active',
   'We use celery for background jobs.', 'We have a problem with the login.'),
  ('profile.who_de', 'profile', 'de', 40,
   '^(ich heisse|mein( \w+)? name ist|nenn(t)? mich|ich bin (ein[e]? )?(\w+ )?\w*(er|erin'
   || '|in|ist|eur|arzt|arztin|frau|mann|studentin?|allergisch|vegetarisch|vegan|farbenblind|blind|taub'
   || '|schwanger)\b(\s.*)?$|(ich|wir) (wohnen?|lebe|leben|arbeite (als|bei|in|im)|komme (aus|ursprunglich)'
   || '|sitze im rollstuhl|esse kein|trinke kein|spreche \w)|(ich habe|wir haben) (\w+ )?(kinder'
   || '|kind|hund|katze|allergie|asthma|diabetes)|mein[e]? (frau|mann|tochter|sohn|hund|katze|schwester|bruder|mutter'
   || '|vater|chef(in)?|geburtstag) (heisst|ist|arbeitet|wohnt|hat|isst)\b)',
   '\b(gerade|heute|mude|fertig|sicher|unterwegs|hier|dabei|hinter|immer|weiter|wieder|unsicher|wurde|ware'
   || '|einer meinung|experte|pirat|ritter)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ich wohne in Leipzig.', 'Ich bin mir nicht sicher.'),
  ('preference.wish_de', 'preference', 'de', 50,
   '^((antwort|schreib|sprich|frag|zeig|benutz|nutz|verwend|lass|lauf|mach|halt|gib|sag|formatier|nenn|du'
   || '|sie)\w*\b[^,]*\b(immer|stets|nie|niemals|grundsatzlich)\b|(ab (jetzt|sofort)|in zukunft|kunftig|zukunftig'
   || '|nachstes mal|von nun an)\b|(keine?|nie wieder) (emojis?|smileys|entschuldigungen|zusammenfassungen'
   || '|kommentare|floskeln)\b|(benutz|verwend|nutz)\w* (bitte )?kein|hor auf\b|ich (mag|hasse|bevorzuge'
   || '|hatte gern|mochte|will)\b[^,]*(, wenn du|\bantworten\b|\bimmer\b|\bnie\b)|ich (bevorzuge'
   || '|hab(e)? lieber)\b|es nervt mich|lieber \w+ als|(bitte )?duze? mich|frag (mich,? bevor|lieber'
   || '|vorher)|fass (dich kurz|nie)|(merk dir|denk (dran|daran)),? dass)|\b(in zukunft|ab jetzt'
   || '|ab sofort|nachstes mal)\b',
   '\b(diesmal|heute|furs erste|in dieser|diese version|dieses mal|spalte|logs sehen|nur fur|das nicht)\b',
   'preference', 2, 1, 0.8, 'active',
   'Hör auf, dich ständig zu entschuldigen.', 'Ich möchte eine neue Spalte hinzufügen.'),
  ('decision.made_de', 'decision', 'de', 40,
   '^((wir|ich) (haben?|hat) (uns )?(\S+ )*?(entschieden|beschlossen|geeinigt|ersetzt|abgeschafft'
   || '|gewahlt|vereinbart)|wir sind (von )?(\S+ ){0,5}(umgestiegen|gewechselt)|wir (bleiben bei'
   || '|nehmen .*(fest|endgultig)|wechseln (zu|auf)|stellen .*\bein$|setzen auf)|das team hat sich'
   || '|der \w+ wurde auf\b.*verschoben|ab (montag|dienstag|mittwoch|donnerstag|freitag|januar|februar|marz|april'
   || '|mai|juni|juli|august|september|oktober|november|dezember) (ist|sind|gilt))',
   '\b(pizza|heute|jetzt|mittag|pause)\b',
   'decision', 2, 1, 0.8, 'active',
   'Wir haben uns für Postgres entschieden.', 'Wir haben beschlossen, jetzt Pizza zu essen.'),
  ('correction.changed_de', 'correction', 'de', 50,
   '^((ich meinte|korrektur|das ist falsch,|stimmt nicht,|nicht \w+,? sondern|du verwechselst'
   || '|du irrst)\b|(der|die|das|unser\w*|mein\w*)\s[^,]*\b(heisst|lauft|ist|liegt) jetzt\s)|\bnicht mehr\b'
   || '|\bsondern \w',
   '\b(funktioniert|geht|weiter|verstehe|nur|brauche|will|kann|kaputt|grun|rot|fertig)\b',
   'fact', 3, 1, 0.75, 'active',
   'Wir benutzen Jenkins nicht mehr.', 'Es funktioniert nicht mehr.'),
  ('profile.who_es', 'profile', 'es', 40,
   '^(me llamo|mi nombre es|soy (un[a]? )?(\w+ )?\w+(or|ora|ero|era|ista|ico|ica|ante|ente|ano|ana'
   || '|ogo|oga|ado|ada|iz|atra)\b(\s.*)?$|soy (alergic|vegetarian|vegan|daltonic|celiac|diabetic|sord|de \w)'
   || '|(vivo|vivimos) (en|con|sol)|trabajo (de|en|como|para)\s|(no como|no bebo)\s'
   || '|tengo (\w+ )?(hij|perr|gat|alergi|asma|diabetes)|mi (mujer|marido|esposa|hij[ao]|perr[ao]|gat[ao]'
   || '|herman[ao]|madre|padre|jef[ae]|cumpleanos) (se llama|es|trabaja|vive|tiene)\b|(hablo|uso) \w'
   || '|voy en silla)',
   '\b(ahora|hoy|aqui|listo|seguro|un experto|caballero|de nuevo|este|esta|esto)\b',
   'profile', 2, 1, 0.8, 'active',
   'Me llamo Ada.', 'Soy un experto en este juego.'),
  ('preference.wish_es', 'preference', 'es', 50,
   '^((respond|contest|habl|escrib|pregunt|ensen|muestra|us|utiliz|pas|explic|haz|pon)\w*\b[^,]*\b(siempre|nunca)\b'
   || '|(siempre|nunca) (respond|contest|us|pregunt|toques|pon|hagas|escrib|pas)|(a partir de ahora'
   || '|de ahora en adelante|en (el )?futuro|la proxima vez|desde ahora)\b|sin (emojis?|resumenes'
   || '|comentarios|disculpas)|no (uses|utilices|pongas|anadas) (emojis?|comentarios|\w+$)|deja de\s'
   || '|no me gusta que\s|prefiero |(odio|detesto) (que|los|las)\s|me (molesta|gusta) (que|ver)\s'
   || '|llamame\s|tuteame|preguntame (antes|primero)|recuerda que\s|quiero que (siempre|nunca|los|las|me))'
   || '|\ba partir de ahora$',
   '\b(esta vez|este correo|este archivo|la primera|el primero|la segunda|esta version|refactorices|hoy|por ahora)\b'
   || '|partir de ahora .*(servidor|host)',
   'preference', 2, 1, 0.8, 'active',
   'Respóndeme siempre en español.', 'Prefiero la primera.'),
  ('decision.made_es', 'decision', 'es', 40,
   '^((hemos|he) (decidido|acordado|elegido|cambiado|sustituido|reemplazado|migrado|pasado de|optado)'
   || '|(decidimos|acordamos|elegimos|optamos|migramos|pasamos de|cambiamos|dejamos de|nos quedamos con)\b'
   || '|el equipo (eligio|decidio|acordo)|vamos (con\s.*decidid|a usar\s)|el \w+ se aplazo'
   || '|a partir del? \w+ (la|el|los|las)\s)',
   '\b(pizza|hoy|ahora|comer|descanso|este)\b',
   'decision', 2, 1, 0.8, 'active',
   'Hemos decidido usar Postgres.', 'Hemos decidido comer pizza hoy.'),
  ('correction.changed_es', 'correction', 'es', 50,
   '^(ya no \w|me referia\s|correccion\s*:|eso esta mal,|te equivocas,? |no es \w+, (es|sino)\s'
   || '|(la|el|los|las|mi|nuestr\w+)\s[^,]*\bahora (es|se llama|escucha|esta)\s)|\bya no (esta|es|se|vivo|usa)',
   '\b(funciona|falla|entiendo|necesito|rojo|verde|roto|puedo|hace falta)\b',
   'fact', 3, 1, 0.75, 'active',
   'Ya no usamos Jenkins.', 'Ya no funciona.'),
  ('profile.who_fr', 'profile', 'fr', 40,
   '^(je m''appelle|mon nom est|je suis (une? )?(\w+ )?\w+(eur|euse|ier|iere|iste|ien|ienne|ant'
   || '|ante|ecin|ogue|ecte|aire|ique|marie|mariee)\b(\s.*)?$|je suis (allergique|vegetarien|vegan|daltonien|sourd'
   || '|en fauteuil)|(j''habite|nous habitons|je vis|je viens (du|des)\b|je travaille (comme|dans|chez'
   || '|pour)|je ne (mange|bois) pas|j''utilise \w+$|j''apprends\s|je parle\s)|j''ai (\w+ )?(enfants?'
   || '|chiens?|chats?|ans\b|une allergie|asthme)|m(on|a) (femme|mari|fille|fils|chien|chat|soeur|frere|mere|pere'
   || '|cheffe?|anniversaire) (s''appelle|est|travaille|habite|a)\b)',
   '\b(maintenant|ici|fatigue|en train|sur que|pret|content|bloque|chevalier|expert|un probleme|en reunion)\b',
   'profile', 2, 1, 0.8, 'active',
   'Je m''appelle Ada.', 'Je suis en réunion.'),
  ('preference.wish_fr', 'preference', 'fr', 50,
   '^((repond|ecri|parl|demand|montr|utilis|lanc|expliqu|mets|fais)\w*(-moi)?\b[^,]*\b(toujours|jamais)\b'
   || '|ne \w+ jamais\b|(a partir de maintenant|desormais|dorenavant|a l''avenir|la prochaine fois)\b'
   || '|pas d(e |'')(emojis?|resumes?|commentaires?|excuses)|n''utilise[sz]? pas d|arrete[sz]? de\s'
   || '|je (n''aime pas quand|deteste (quand|les)|prefere |veux (des|les|que tu)\s)|ca m''(enerve'
   || '|agace) quand|j''aime (voir|quand)|appelle-moi\s|demande-moi avant|souviens-toi que'
   || '|propose-moi uniquement)',
   '\b(cette fois|ce mail|ce fichier|la premiere|le premier|la deuxieme|cette version|refactorises|aujourd''hui'
   || '|pour l''instant)\b|maintenant .*serveur',
   'preference', 2, 1, 0.8, 'active',
   'Réponds-moi toujours en français.', 'Je préfère la première.'),
  ('decision.made_fr', 'decision', 'fr', 40,
   '^((nous avons|on a|j''ai) (decide|choisi|remplace|migre|retenu|adopte|opte|convenu)|(on est'
   || '|nous sommes) passes? de|on (reste sur|part sur|abandonne|va utiliser|s''est mis d''accord)'
   || '|nous (restons|abandonnons|allons utiliser)|l''equipe a (choisi|decide)|le \w+ est (repousse'
   || '|reporte)|a partir (de|du) \w+ (le|la|les)\s)',
   '\b(pizza|ce soir|aujourd''hui|pause|manger)\b',
   'decision', 2, 1, 0.8, 'active',
   'Nous avons décidé d''utiliser Postgres.', 'On a décidé de manger une pizza ce soir.'),
  ('correction.changed_fr', 'correction', 'fr', 50,
   '^((on|nous|je) n[e'']\s?\w+ plus\s|je voulais dire\s|correction\s*:|c''est faux,|tu te trompes,?\s'
   || '|ce n''est pas \w+, c''est\s|(la|le|les|l''|mon|ma|notre)\s?[^,]*\b(s''appelle|ecoute'
   || '|est) (maintenant|desormais)\s)|\bn''est plus\s',
   '\b(marche|comprends|sais|besoin|rouge|vert|casse|rien)\b',
   'fact', 3, 1, 0.75, 'active',
   'On n''utilise plus Jenkins.', 'Je ne sais plus quoi faire.'),
  ('profile.who_pt', 'profile', 'pt', 40,
   '^((eu )?me chamo|chamo-me|(o )?meu nome e|(eu )?sou (um[a]? )?(\w+ )?\w+(or|ora|eiro'
   || '|eira|ista|ico|ica|ante|ente|ano|ana|ogo|oga|ado|ada)\b(\s.*)?$|sou (alergic|vegetarian|vegan|daltonic'
   || '|d[oae] \w)|(moro|vivo|moramos|vivemos) (em|no|na|com)|trabalho (como|na|no|em|para)\s|nao (como'
   || '|bebo)\s|tenho (\w+ )?(filh|cachorr|gat|alergia|asma)|(o |a )?m(eu|inha) (mulher|marido|esposa'
   || '|filh[ao]|cachorr[ao]|gat[ao]|irma|irmao|mae|pai|chefe|aniversario) (se chama|e|trabalha|mora|tem)\b'
   || '|(eu )?uso (cadeira|\w+$)|falo \w)',
   '\b(agora|hoje|aqui|pronto|certeza|especialista|cavaleiro|este|esse|isso)\b',
   'profile', 2, 1, 0.8, 'active',
   'Meu nome é Ada.', 'Sou um especialista neste jogo.'),
  ('preference.wish_pt', 'preference', 'pt', 50,
   '^((respond|fal|escrev|pergunt|mostr|us|rod|expliqu)\w*(-me)?\b[^,]*\b(sempre|nunca)\b|(sempre'
   || '|nunca) (respond|us|pergunt|mex|rod|mostr|escrev)|(a partir de agora|daqui (pra'
   || '|para) (a )?frente|de agora em diante|no futuro|da proxima vez)\b|sem (emojis?|resumos'
   || '|comentarios)|nao (use|usa|coloque) (emojis?|comentarios|\w+$)|par[ae] de\s|nao gosto quando|prefiro\s'
   || '|(odeio|detesto) (quando|resumos|que)|me irrita quando|gosto de ver|me chama de|pergunta? antes'
   || '|lembr[ae] que|quero (os|as|que voce sempre)\s)',
   '\b(dessa vez|desta vez|neste email|neste arquivo|a primeira|o primeiro|a segunda|essa versao|hoje|por enquanto)\b'
   || '|agora .*servidor',
   'preference', 2, 1, 0.8, 'active',
   'Responde-me sempre em português.', 'Prefiro a primeira.'),
  ('decision.made_pt', 'decision', 'pt', 40,
   '^((a gente )?(decidimos|decidiu|escolhemos|combinamos|optamos|migramos|mudamos de|trocamos|substituimos'
   || '|deixamos de|ficamos com)\b|o time (escolheu|decidiu)|vamos (com\s.*decidid|usar\s)'
   || '|o \w+ foi adiado|a partir de \w+ (a|o|as|os)\s)',
   '\b(pizza|hoje|agora|comer|pausa)\b',
   'decision', 2, 1, 0.8, 'active',
   'Decidimos não usar Kafka.', 'Decidimos comer pizza hoje.'),
  ('correction.changed_pt', 'correction', 'pt', 50,
   '^(nao \w+ mais\s|eu quis dizer\s|correcao\s*:|(isso )?esta errado,|voce se enganou,?\s'
   || '|nao e \w+, e\s|(a|o|as|os|meu|minha|nosso)\s[^,]*\bagora (e|se chama|escuta|fica)\s)|\bnao (fica'
   || '|mora|usa|e|esta) mais\s',
   '\b(funciona|entendo|preciso|vermelho|verde|quebrado|sei)\b',
   'fact', 3, 1, 0.75, 'active',
   'Não usamos mais Jenkins.', 'Não funciona mais nada.'),
  ('profile.who_it', 'profile', 'it', 40,
   '^(mi chiamo|il mio nome e|sono (un[ao'']?\s*)?(\w+ )?\w+(ore|rice|iere|iera|ista|ico|ica|ante'
   || '|ente|ano|ana|ogo|oga|ato|ata|essa)\b(\s.*)?$|sono (allergic|vegetarian|vegan|daltonic|in sedia)|(abito'
   || '|vivo|abitiamo|viviamo) (a|in|con)\s|lavoro (come|nel|in|per)\s|non (mangio|bevo)\s'
   || '|ho (\w+ )?(figli[oae]?|un cane|gatt|allergi|asma)|(la |il )?mi[ao] (moglie|marito|figli[ao]|cane'
   || '|gatto|sorella|fratello|madre|padre|cap[ao]|compleanno) (si chiama|e|lavora|abita|ha)\b|vengo d|parlo \w'
   || '|uso \w+$|sto imparando)',
   '\b(ora|oggi|qui|pronto|sicuro|esperto|cavaliere|bloccato|stanco|andato|appena|in riunione|questo)\b',
   'profile', 2, 1, 0.8, 'active',
   'Mi chiamo Ada.', 'Sono stanco.'),
  ('preference.wish_it', 'preference', 'it', 50,
   '^((rispond|scriv|parl|chied|mostr|usa|lancia|spieg)\w*\b[^,]*\b(sempre|mai)\b|(sempre|mai) \w'
   || '|non \w+ mai\b|(d''ora in poi|da ora in (poi|avanti)|in futuro|la prossima volta'
   || '|da adesso)\b|niente (emoji|riassunti|commenti)|non usare (emoji|commenti|\w+$)|smettila di|smetti di'
   || '|non mi piace quando|preferisco\s|(odio|detesto) (quando|i\s|le\s|gli\s)|mi da fastidio quando'
   || '|mi piace (vedere|quando)|chiamami\s|chiedimi prima|ricordati che|voglio (i|le|che tu)\s'
   || '|proponimi solo)',
   '\b(questa volta|questa mail|questo file|la prima|il primo|la seconda|questa versione|oggi|per ora|i log|funziona)\b'
   || '|poi .*server',
   'preference', 2, 1, 0.8, 'active',
   'Rispondimi sempre in italiano.', 'Preferisco la prima.'),
  ('decision.made_it', 'decision', 'it', 40,
   '^(abbiamo (deciso|scelto|sostituito|concordato|migrato|optato|adottato)|siamo passati d|restiamo su'
   || '|andiamo con\s.*decis|useremo\s|non supportiamo piu|il team ha (scelto|deciso)'
   || '|il \w+ e stato (rinviato|spostato)|da (lunedi|martedi|mercoledi|giovedi|venerdi) (lo|la|il|i|le)\s'
   || '|ho deciso\s)',
   '\b(pizza|stasera|oggi|pausa|mangiare)\b',
   'decision', 2, 1, 0.8, 'active',
   'Abbiamo deciso di usare Postgres.', 'Abbiamo deciso di mangiare una pizza stasera.'),
  ('correction.changed_it', 'correction', 'it', 50,
   '^(non \w+ piu\s|intendevo\s|correzione\s*:|e sbagliato,|ti sbagli,?\s|non e \w+, e\s|(la|il|lo|l'''
   || '|i|le|mi[ao]|nostr\w)\s?[^,]*\b(ora|adesso) (e|si chiama|ascolta)\s)|\bnon e piu\s',
   '\b(funziona|capisco|rosso|verde|rotto|so|serve)\b',
   'fact', 3, 1, 0.75, 'active',
   'Non usiamo più Jenkins.', 'Non funziona più niente.'),
  ('profile.who_nl', 'profile', 'nl', 40,
   '^(ik heet|mijn naam is|ik ben (een )?(\w+ )?\w+(er|eur|ist|kundige|aar|ent|arts|veganist'
   || '|vegetarier|allergisch|kleurenblind|doof)\b(\s.*)?$|(ik|we|wij) (woon|wonen)\s|ik (werk (als|in|bij'
   || '|niet op)|kom (uit|oorspronkelijk)|eet geen|drink geen|spreek\s|leer \w+$|zit in een rolstoel'
   || '|gebruik \w+$)|ik heb (\w+ )?(kinderen|hond|kat|allergie|astma)|mijn (vrouw|man|dochter|zoon|hond|kat'
   || '|zus|broer|moeder|vader|baas|verjaardag) (heet|is|werkt|woont|heeft)\b)',
   '\b(nu|hier|moe|klaar|zeker|bezig|ridder|expert|vergadering|vast|eerder|verder|weer)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ik woon in Gent.', 'Ik ben nu klaar.'),
  ('preference.wish_nl', 'preference', 'nl', 50,
   '^((antwoord|schrijf|spreek|vraag|laat|gebruik|draai|leg|hou)\w*\b[^,]*\b(altijd|nooit)\b|(altijd|nooit) \w'
   || '|kom nooit|(vanaf nu|voortaan|in de toekomst|de volgende keer)\b|geen (emoji|samenvattingen'
   || '|commentaar|excuses)|gebruik geen\s|(hou op|stop) met\s|ik (vind het niet fijn|heb liever'
   || '|haat (het|samen)|erger me|zie graag|wil (commits|dat je))\b|noem me\s|vraag het me voordat'
   || '|je hoeft (me )?niet\s|onthoud dat|stel alleen)',
   '\b(deze keer|deze mail|dit bestand|de eerste|de tweede|deze versie|vandaag|voor nu|te onthouden)\b|nu .*server',
   'preference', 2, 1, 0.8, 'active',
   'Antwoord me altijd in het Nederlands.', 'Gebruik deze keer altijd tabs.'),
  ('decision.made_nl', 'decision', 'nl', 40,
   '^((we|wij|ik) heb(ben)? (besloten|gekozen|\w+ vervangen|\w+ releases afgesproken|afgesproken)|(we'
   || '|wij) (zijn overgestapt|blijven bij|gaan voor|stoppen met|gaan \w+ gebruiken)|het team (koos'
   || '|heeft)|de \w+ is (uitgesteld|verplaatst)|vanaf (maandag|dinsdag|woensdag|donderdag|vrijdag)\s)',
   '\b(pizza|vanavond|vandaag|pauze|eten)\b',
   'decision', 2, 1, 0.8, 'active',
   'We hebben besloten om Postgres te gebruiken.', 'We hebben besloten om vanavond pizza te eten.'),
  ('correction.changed_nl', 'correction', 'nl', 50,
   '^(ik bedoelde\s|correctie\s*:|dat klopt niet,|je vergist je,?\s|het is niet \w+,? maar\s|(de'
   || '|het|onze|mijn)\s[^,]*\b(heet|luistert|is) nu\s)|\bniet meer\b',
   '\b(werkt|snap|weet|nodig|rood|groen|stuk|klaar)\b',
   'fact', 3, 1, 0.75, 'active',
   'We gebruiken Jenkins niet meer.', 'Het werkt niet meer.'),
  ('profile.who_zh', 'profile', 'zh', 40,
   '^(我叫.+|我的名字是.+|我(们)?住在?.+|我是(一[名个家])?.*(护士|老师|教师|医生|工程师|程序员|开发|律师|学生|设计师|会计|厨师|记者|经理|司机|翻译|色盲|素食)|我(对.+过敏'
   || '|不吃.+|吃素.*|来自.+|老家在.+|会说.+|在.+工作|有.+(孩子|儿子|女儿).*|用[\w ]+|坐轮椅.*|周[一二三四五六日]不上班)|我的?(女儿|儿子|丈夫|妻子|老婆|老公|狗|猫|老板|生日|姐姐'
   || '|妹妹|哥哥|弟弟)(叫|是|上|在|住).+)',
   '骑士|海盗|专家|什么|现在|今天|暂时|试|开会|住不|第一',
   'profile', 2, 1, 0.8, 'active',
   '我住在成都。', '我住不惯，今天换酒店。'),
  ('preference.wish_zh', 'preference', 'zh', 50,
   '^(请?(一直|始终|总是|永远)|(不要|别)(用|老是|再|使用)(表情|emoji|道歉|总结|分号|注释)|(我)?(更喜欢|讨厌|不喜欢你|偏好|习惯)|我喜欢(简短|先|用)|叫我.+'
   || '|记住我|只推荐)|(以后|今后|从现在起|下次|从今以后)|(之前|前)(总是)?先(问我|给我看)',
   '这个版本|第一个|这次|暂时|今天|服务器叫',
   'preference', 2, 1, 0.8, 'active',
   '请一直用中文回答我。', '我更喜欢第一个。'),
  ('constraint.must_zh', 'constraint', 'zh', 40,
   '^.*(必须|禁止|不允许|不得|绝不能|不准|一律|不能直接).+',
   '这个函数|改一下|文档说|手册|要求我们|今天|交付|我们今天|肯定|吗$',
   'policy', 3, 1, 0.75, 'active',
   '所有提交都必须签名。', '我们今天必须交付。'),
  ('decision.made_zh', 'decision', 'zh', 40,
   '^(我们(最后)?(决定|商定|选了|不再支持|还是继续用|把.+换成了?|从.+(换到|迁移到|换成)).+|团队(选了|决定).+|就用.+(定了|吧定)|.+(推迟到|改到).+'
   || '|从周[一二三四五六日]开始.+|.+已经定了)',
   '披萨|今晚|现在吃|休息',
   'decision', 2, 1, 0.8, 'active',
   '我们决定用Postgres。', '我们决定今晚吃披萨。'),
  ('correction.changed_zh', 'correction', 'zh', 50,
   '^(不对[，,].+|错了[，,].+|更正[：:].+|其实(服务器|端口|我|它|名字|公司|会议|办公室).+|我说的是.+|不是.+[，,]是.+|你(记错|弄错|搞混)了?[，,].+|我不住.+现在'
   || '|.+现在(叫|由|监听|是|在).+)|已经不(用|在|住).+|不在.+搬到.+',
   '无所谓|再试|可以了|就行|挂了|看',
   'fact', 3, 1, 0.75, 'active',
   '不对，端口是8081。', '不对，再试一次。'),
  ('statement.is_zh', 'statement', 'zh', 50,
   '^(.+(服务器|数据库|项目|集群|主机)叫.+|[^我你他]+负责\w+|.+监听\d+端口|.+在(wiki|[一二三四五六七八九十]楼|人民路)|我们用\w+(部署|做|写)|.+是用\w+写的|.+从.月开始)',
   '吗|什么|谁|哪',
   'fact', 1, 1, 0.7, 'active',
   '测试服务器叫苍鹭。', '服务器叫什么？'),
  ('profile.who_ja', 'profile', 'ja', 40,
   '^((私|僕|俺)(の名前)?は.+(です|をしています|といいます)|.+といいます$|[^、]*(看護師|教師|医師|エンジニア|学生|弁護士|プログラマ|デザイナー)です$|.+に住んで(います|いる)'
   || '|.+(の仕事をして|で働いて|の開発をして|を勉強して)います|.+アレルギーが(あります|ある)|.+は食べ(ません|ない)$|(娘|息子|夫|妻|犬|猫|姉|兄|弟|妹|母|父|上司)(の名前)?は.+'
   || '|子供が.+います|誕生日は.+|出身は.+|車椅子を使って.+|.+を使っています$)',
   '騎士|海賊|専門家|何|どこ|誰|今|今日|たら|ゲーム|と言って|いないし|もう',
   'profile', 2, 1, 0.8, 'active',
   '大阪に住んでいます。', '今は京都に住んでいます。'),
  ('preference.wish_ja', 'preference', 'ja', 50,
   '^(いつも.+(して|答えて|ください|書いて)|(これから|今後|次回|以後).+|.+(の方が好き|回答が好きです)$|.+(前に)(必ず|先に).+(聞いて|見せて)|.+には絶対に触らないで'
   || '|.+って呼んで$|.+だけ提案して$|基本的に.+|.+して(から|)報告してほしい|.+で書いてほしい)|(絵文字|セミコロン|敬語|まとめ)は?(使わ|なし|いら|嫌い)|(謝らないで|謝られるのは)'
   || '|と?覚えておいて',
   '今回|このメール|このファイル|今日|バグ|最初の方|さっき',
   'preference', 2, 1, 0.8, 'active',
   'いつも日本語で答えてください。', '最初の方が好き。'),
  ('constraint.must_ja', 'constraint', 'ja', 40,
   '^.*(必要です|必ず.+(必要|すること|する|始める|記載する|つける)|てはいけない|てはならない|のは禁止|禁止$|なければならない|しか使わない|こと$).*',
   '明日まで|この関数|直して|今日中|スクリプトが|と書いて|によると|ことにした|ことに',
   'policy', 3, 1, 0.75, 'active',
   'すべてのコミットには署名が必要です。', '明日までにスクリプトが必要です。'),
  ('decision.made_ja', 'decision', 'ja', 40,
   '^.+(ことに(決めました|決めた|しました|した)|に決定|に決まりました|に移行しました|に移行した|に置き換えました|に延期になった|で合意した|を選んだ|使い続ける|で決定).*',
   'ピザ|今夜|今日は|休憩',
   'decision', 2, 1, 0.8, 'active',
   'Postgresを使うことに決めました。', '今夜はピザを食べることにした。'),
  ('correction.changed_ja', 'correction', 'ja', 50,
   '^(いや、.+(です|だ)$|実は.+(名前|ポート|は).+|訂正[：:].+|違います、.+|.+ではなく.+|もう.+(いません|いない)|.+のことでした$|間違って.+、.+|.+の担当は今は?.+'
   || '|.+は今\d+.+)',
   '大丈夫|どっちでも|そのまま|ファイル|もう一度|終わ|動',
   'fact', 3, 1, 0.75, 'active',
   'いや、ポートは8081です。', 'いや、そのままで大丈夫です。'),
  ('statement.is_ja', 'statement', 'ja', 50,
   '^(.+(サーバー|データベース|プロジェクト)(の名前)?は.+(です|という名前です)|.+が\w+を担当しています|.+(にあります|で書かれている|から始まる|に開きます|で待ち受けている)$'
   || '|\w+でデプロイしています)',
   '何|どこ|誰|か$|質問',
   'fact', 1, 1, 0.7, 'active',
   'ステージングサーバーの名前はアオサギです。', 'サーバーの名前は何ですか？'),
  ('constraint.every', 'constraint', 'en', 40,
   '^(in this \w+ )?(every|each|all) (new )?([\w./-]+ )+?(needs?|gets?|has|have|are|is|starts?'
   || '|ends?|goes?|carr(y|ies)|requires?|follows?|lives?) \S.*',
   '\b(time|day|users?|good|done|fine|green|red|broken|failing|now|today|here|gone|the same|of (them|it|this)'
   || '|tests? (are|pass|is)|developers?|people|kids?|about|example|row|value in rust|orders)\b',
   'convention', 3, 1, 0.75, 'active',
   'Every PR needs two approvals.', 'All tests are green now.'),
  ('constraint.only', 'constraint', 'en', 41,
   '^only ([\w./-]+ )+?(may|can|has|have|gets?|is allowed|are allowed) \S.*',
   '\b(i|seen?|happens?|time|see|hope|two)\b',
   'policy', 4, 1, 0.8, 'active',
   'Only the release bot may tag versions.', 'Only time can tell.'),
  ('constraint.no_x_in_y', 'constraint', 'en', 42,
   '^(please )?no ([\w./-]+ )+?(in|on|at|without|after|before|during|under|outside|until|from) \S.*',
   '^no (\w+ )?(idea|problem|need|matter|change|changes|luck|errors?|difference|reason|way|worries|one|response'
   || '|such|wait|more questions|point|access|doubt|sign|news|rush|hurry|clue|comments were)\b|\b(yet|now|today|here|my)\b'
   || '|^no,',
   'policy', 3, -1, 0.8, 'active',
   'No deploys after 4pm.', 'No errors in the log.'),
  ('preference.before_after', 'preference', 'en', 91,
   '^(before|after|whenever|if you|when you|when a|if a) (every|each|any|changing|merging|releasing'
   || '|going live|deploying|touching|add|touch|change|break|bump|open|send|the \w+ changes|\w+ (is|changes)'
   || '|an? \w+)\b[^,]*,? (you (have|need) to|you fix|it (gets|goes|has)|always|(please )?(run'
   || '|update|regenerate|bump|tag|write|rebase|ask|get|we (write|update|run)|has to|the \w+ has to)) \S.*',
   '\b(this|that|it works|lunch|done|error|i (click|run)|run the|memory|possible|line \d)\b',
   'convention', 3, 1, 0.75, 'active',
   'If you add a dependency, write down why.', 'After lunch, run the tests on this branch.'),
  ('constraint.is_always', 'constraint', 'en', 44,
   '^([\w./''-]+ )+?(is|are|gets?|stays?|goes?|has to|have to|need to|can''?t|may only|stay) (always'
   || '|never|only|exclusively|below|above|under|out of|in english|off limits|frozen|banned|reviewed|signed|be \S+'
   || '|deleted after)\b.*',
   '^(it|he|she|they|i|we|you|there|this|that|what|who)\b|\b(zero|null|true|false|none|empty|broken|failing|late|used'
   || '|called|slow|dns|my|test|prove|assume|below|above|finite|positive|pain|loop|cause|fun|the last|the same|funny|red)\b'
   || '|\bto be (faster|in here|somewhere|restarted)\b',
   'convention', 3, 1, 0.7, 'active',
   'Money is always stored in cents.', 'The value is always zero.'),
  ('constraint.label', 'constraint', 'en', 45,
   '^((house|ground|golden|team|our) rule|(our |the |a )?(convention|policy)|company policy'
   || '|our (style guide|deal)|(the|our) rule)\b( (for|here|in|on|of) [^:,]*)?( (is|says)'
   || '|\s*[:,]) (?P<what>\S.*)',
   '\b(broken|unclear|wrong|too|missing|outdated)\b',
   'convention', 3, 1, 0.85, 'active',
   'House rule: one component per file.', 'The rule is broken.'),
  ('constraint.repo_noun', 'constraint', 'en', 46,
   '^(commit (messages|titles)|branch names|branches|variable names|file names|comments|tests|migrations'
   || '|secrets|timestamps|prices|imports|error messages|images|log lines|passwords|tokens|keys|headlines|invoices'
   || '|css classes|config|prs|pull requests|ids|releases|releases|files in \S+|everything in \S+) (must'
   || '|start|starts|end|follow|follows|stay|stays|are|is|have|has|go|goes|comes?|live|need|happen|run|say'
   || '|include) (to )?\S.*',
   '\b(green|red|broken|failing|now|today|here|missing|wrong|pass|fine|done|ready|gone|empty|nice|off|slow|hard|still'
   || '|long|late|confusing)\b',
   'convention', 3, 1, 0.75, 'active',
   'Branch names start with the ticket number.', 'Tests are green now.'),
  ('constraint.we_rule', 'constraint', 'en', 47,
   '^we (always )?(squash|tag|document|review|write \w+ (before|for)|round|target|support the|keep one'
   || '|store \w+ in|work in pairs|release on|sign)\b\s*(?P<what>\S.*)',
   '\b(this|now|today|here|tomorrow|need|should)\b',
   'convention', 3, 1, 0.7, 'active',
   'We tag every release.', 'We document this now.'),
  ('constraint.house_de', 'constraint', 'de', 50,
   '^((hier|in diesem projekt|bei uns|wir)\s.*\b(verwenden|benutzen|nutzen)\b.*\b(nur|ausschliesslich|immer'
   || '|niemals|nie|kein\w*|hier|grundsatzlich)\b|(kein\w*|niemand|nichts|ohne)\s.*\b(ins|im|auf|in|pusht|geht)\b'
   || '|jede[rs]? \w+ braucht\s|vor jede[mr]\s.*\b(muss|mussen)\b|neue\s.*\bmussen\b)|\bwird nicht\s|\b(durfen'
   || '|darf) (nie|nicht|kein\w*)\b|\b(immer|nie) (in|nach|mit)\s',
   '\b(ich|du|hier nicht|gerade|heute|mehr|idee|ahnung|problem|test|fehler|funktioniert)\b',
   'convention', 3, 1, 0.75, 'active',
   'Freitags wird nicht deployt.', 'Der Test wird nicht grün.'),
  ('constraint.house_es', 'constraint', 'es', 50,
   '^((aqui|en este \w+) (solo )?(usamos|utilizamos|se usa)|nadie \w+|no se (despliega|guarda'
   || '|permite|toca|sube|usa|hace|acepta)\w*\s|cada \w+ (necesita|debe|lleva|tiene)'
   || '|hay que\s.*\bantes de cada\b)|\b(nunca (sale|se)|no pueden|tienen? que|se guardan (siempre)?'
   || '|esta prohibido)\b|\b(empiezan|van) siempre\b',
   '\b(hoy|ahora|esto|este fallo|entregar|yo|contesto|esta roto)\b',
   'convention', 3, 1, 0.75, 'active',
   'No se despliega los viernes.', 'Nadie contesto hoy.'),
  ('constraint.house_fr', 'constraint', 'fr', 50,
   '^((ici|dans ce \w+),? (on|nous) (n'')?utilis|personne ne\s|on ne (deploie|pousse|touche'
   || '|stocke|fusionne|commit) (pas|jamais|rien)|pas de \w+ (dans|sur|le)\s|chaque \w+ (a besoin|doit'
   || '|porte)|il faut\s.*\bavant chaque\b)|\b(n''ont pas le droit|il est interdit|ne doivent (jamais'
   || '|pas)|(commencent|sont) toujours)\b',
   '\b(aujourd''hui|maintenant|ca|repond|marche)\b',
   'convention', 3, 1, 0.75, 'active',
   'On ne déploie pas le vendredi.', 'Personne ne répond.'),
  ('constraint.house_pt', 'constraint', 'pt', 50,
   '^((aqui|neste \w+) (so )?usamos|ninguem \w+|nao (fazemos|usamos|guardamos|aceitamos)\s'
   || '|cada \w+ (precisa|deve|leva|tem)|nada de\s|(todos|todas) (os|as)\s.*\b(devem|tem que|precisam)\b'
   || '|e preciso\s.*\bantes de cada\b|(as|os)\s.*\bdevem\s)|\b(nunca saem|nao podem|tem que|e proibido'
   || '|sao sempre|comecam sempre)\b',
   '\b(hoje|agora|isso|entregar|mais|respondeu|funcao)\b',
   'convention', 3, 1, 0.75, 'active',
   'Não fazemos deploy às sextas.', 'Ninguem respondeu hoje.'),
  ('constraint.house_it', 'constraint', 'it', 50,
   '^((qui|in questo \w+) usiamo|nessuno \w+|ogni \w+ (ha bisogno|deve|porta)|niente \w+ (nel'
   || '|nella|in|su)\s|(tutti|tutte)\s.*\bdevono\b|bisogna\s.*\bprima di ogni\b|(le|gli|i)\s.*\bdevono\s)'
   || '|\bnon si (fa|tocca|usa|pusha)\b|\b(non devono|non possono|e vietato|si salvano sempre'
   || '|iniziano sempre)\b',
   '\b(oggi|ora|questo bug|risponde|consegnar)\b',
   'convention', 3, 1, 0.75, 'active',
   'Il venerdì non si fa deploy.', 'Nessuno risponde.'),
  ('constraint.house_nl', 'constraint', 'nl', 50,
   '^((we|wij) gebruiken hier|in dit \w+ gebruiken\s|niemand \w+|elke \w+ (heeft|moet|krijgt)'
   || '|geen \w+ in\s|alle\s.*\bmoeten\b|voor elke\s.*\bmoet\b|\w+ moeten\s)|\bwordt er niet\b'
   || '|\b(mogen (nooit|het|niet|geen)|het is verboden|worden altijd|beginnen altijd)\b',
   '\b(vandaag|nu|dit opleveren|antwoordt|we moeten)\b',
   'convention', 3, 1, 0.75, 'active',
   'Op vrijdag wordt er niet gedeployed.', 'Niemand antwoordt.');

-- What was tried or proposed and turned down, with its reason: told when it comes up again.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('decision.tried_in_vain', 'decision', 'en', 5,
   '^(we(''ve|''d| have| had)? (already |also |once |even )?(tried|tested|evaluated|experimented with|piloted)'
   || '|i(''ve| have)? (already |also |once )?tried (using|moving|switching|migrating|replacing|upgrading|adopting'
   || '|going)) (?P<what>\S.*?)(\s*[,;:-]\s*| )((and|but) )?(we had to (revert|roll|back)|(it|that|this|they|which|everything'
   || '|the \S+) (\w+ )?(br(oke|eaks)|fail(ed|s)|crash(ed|es)|los(t|es)|leak(ed|s)|corrupt(ed|s)|deadlock(ed|s)'
   || '|h(u|a)ngs?|timed out|conflict(ed|s)|caus(ed|es)|slow(ed|s)|doubled|tripled|blocked|ran (out|into)|made \S+'
   || '|(did|does|do|was|were|is)(n''t| not) \w+|(was|were|is|are|got|became) (far |way |much )?(too|worse'
   || '|slower|flaky|unstable|unusable|a (mess|disaster|nightmare|pain))|cost (too|more)|never worked))\b',
   '\btried (to|again|running|it\b|that\b|this\b|your|the (tests?|build|command|link|button|fix|new version))\b'
   || '|\b(restaurant|pizza|recipe|today|just now|works now|fixed|seems?|can you|help|not sure)\b',
   'rejected', 3, -1, 0.8, 'active',
   'We tried Redis for the queue, it lost jobs at a restart.', 'We tried to run the tests but it failed.'),
  ('decision.rather_not', 'decision', 'en', 6,
   '^let(''s| us) (not|never) (use )?(?P<what>\S.*?)\s*(\s(because|since|as (it|that|they|this|we))\b'
   || '|[,;:-]\s*(it|that|this|they|because)\s).*\w',
   '\b(today|tonight|now|right now|for now|yet|forget|talk|panic|worry|argue|get ahead|pizza|lunch|this time|this one)\b',
   'rejected', 3, -1, 0.8, 'active',
   'Let''s not use Redis because it lost jobs at a restart.', 'Let''s not do this now because I''m tired.'),
  ('decision.turned_down', 'decision', 'en', 7,
   '^(we|i)(''ve| have)? (already |also |finally )?(decided against|ruled out|rejected|turned down'
   || '|gave up on|given up on|abandoned|backed out (of )?|reverted|rolled back) (?P<what>\S.*?)'
   || '(\s(because|since|as (it|that|they|this|we)|when it|after it|due to)\b|\s*[,;:-]\s*(it|that|this|they|too)\s).*\w',
   '\b(today|just now|for now|your (change|edit|commit)|the last commit|pizza|lunch|dinner)\b',
   'rejected', 3, -1, 0.85, 'active',
   'We decided against Kafka because it is too much for three events a day.', 'I reverted your change because the tests fail.'),
  ('decision.rejected_de', 'decision', 'de', 30,
   '^((wir|ich) (haben?|hatten) (\S+ ){0,8}?(ausprobiert|probiert|versucht|verworfen|getestet)\b.*(,|aber|das|es)'
   || ' (\S+ ){0,6}?(kaputt|abgesturzt|verloren|gescheitert|fehlgeschlagen|zu (langsam|teuer|instabil|aufwendig)'
   || '|funktionierte nicht|nicht funktioniert|ging nicht|weil)\b|(lass(t)? uns|lieber|besser) (\S+ ){0,6}?(nicht|kein\w*)\s.*\bweil\b'
   || '|wir (nehmen|verwenden|nutzen|machen) (\S+ ){0,4}?(nicht|kein\w*)\b.*\bweil\b)',
   '\b(heute|jetzt|gerade|erst ?mal|mittag|pizza|zu starten|die tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Wir haben Redis für die Queue ausprobiert, das hat Jobs verloren.', 'Ich habe versucht, die Tests zu starten, das ging nicht.'),
  ('decision.rejected_es', 'decision', 'es', 30,
   '^((ya )?(probamos|hemos probado|intentamos (usar|migrar|cambiar)|descartamos|hemos descartado) \S.*'
   || '(rompio|rompia|fallo|fallaba|perdio|perdia|no funcion\w+|era (demasiado|muy)|porque|ya que)\b'
   || '|(mejor )?no (usemos|hagamos|migremos|cambiemos|metamos) \S.*\b(porque|ya que)\b)',
   '\b(hoy|ahora|por ahora|todavia|pizza|comer|las pruebas)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Probamos Redis para la cola y perdió trabajos.', 'Hoy no hagamos nada porque estoy cansado.'),
  ('decision.rejected_fr', 'decision', 'fr', 30,
   '^((on|nous) (a|avons) (deja )?(essaye|teste|abandonne|ecarte|rejete) \S.*(casse|plante|perdu|perdait|echoue'
   || '|ne (marchait|fonctionnait|tenait) pas|etait trop|parce qu|car\s)'
   || '|(evitons|n''utilisons pas|ne \w+ons pas) \S.*\b(parce qu|car\s).*)',
   '\b(aujourd''hui|maintenant|pour l''instant|encore|pizza|manger|de lancer)\b',
   'rejected', 3, -1, 0.75, 'active',
   'On a essayé Redis pour la file, ça a perdu des tâches.', 'Ne parlons pas de ça maintenant car je suis fatigué.'),
  ('decision.rejected_pt', 'decision', 'pt', 30,
   '^(((nos )?(ja )?(tentamos (usar|migrar|trocar|mudar|passar)|testamos|experimentamos|avaliamos|descartamos|abandonamos|rejeitamos)'
   || '|(a gente|eu) (ja )?(testou|testei|experimentou|descartou|descartei|abandonou|tentou (usar|migrar|trocar)|tentei (usar|migrar|trocar)))'
   || ' \S.*(quebr(ou|av\w+|aram)|falh(ou|av\w+|aram)|perd(eu|ia\w*|eram)|trav(ou|av\w+|aram)|corromp\w+|nao (funcion\w+|deu certo|aguent\w+|escal\w+)'
   || '|(era|eram|ficou|ficava|foi) (muito|demasiado|mais|instavel)|porque|pois|ja que)\b'
   || '|(e )?(melhor )?nao (vamos )?(usar(mos)?|usemos|adotar(mos)?|migrar(mos)?|trocar(mos)?) \S.*\b(porque|pois|ja que)\b)',
   '\b(hoje|agora|por enquanto|ainda|pizza|almoc\w+|os testes)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Testamos o Redis para a fila e ele perdeu tarefas.', 'Hoje não vamos usar o carro porque chove.'),
  ('decision.rejected_it', 'decision', 'it', 30,
   '^(((noi )?abbiamo|ho) (gia )?(provato|testato|sperimentato|valutato|scartato|abbandonato|rifiutato) \S.*'
   || '(rott[oaie]|romp\w+|fallit[oaie]|falliva\w*|pers[oaie]|perdeva\w*|bloccat[oaie]|bloccava\w*|corrott[oaie]|non (ha |hanno )?(funzion\w+|regg\w+|rett[oa]|scala\w*)'
   || '|(era|erano|diventava) (troppo|piu|instabil\w+)|perche|poiche|dato che|visto che)\b'
   || '|(meglio )?non (usiamo|usare|adottiamo|passiamo|migriamo) \S.*\b(perche|poiche|dato che|visto che)\b)',
   '\b(oggi|adesso|per ora|ancora|pizza|pranzo|i test)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Abbiamo provato Redis per la coda e ha perso dei lavori.', 'Oggi non usiamo la macchina perché piove.'),
  ('decision.rejected_nl', 'decision', 'nl', 30,
   '^((we|wij|ik) (hebben|heb|hadden) (\S+ ){0,8}?(uitgeprobeerd|geprobeerd|getest|geevalueerd|verworpen|afgewezen)\b.*'
   || '(kapot\w*|brak|braken|crasht\w*|gecrasht|faald\w*|gefaald|mislukt\w*|verlo(or|ren)|vastgelopen|liep vast|te (traag|duur|zwaar|complex|instabiel|ingewikkeld)'
   || '|werkte niet|niet gewerkt|want|omdat)\b'
   || '|(laten we|liever|beter) (\S+ ){0,6}?(niet|geen)\s.*\b(want|omdat)\b'
   || '|(we|wij) (nemen|gebruiken) (\S+ ){0,4}?(niet|geen)\b.*\b(want|omdat)\b)',
   '\b(vandaag|nu|even|voorlopig|pizza|lunch|de tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'We hebben Redis voor de wachtrij geprobeerd, het verloor taken.', 'We gebruiken de auto vandaag niet, want het regent.'),
  ('decision.rejected_zh', 'decision', 'zh', 30,
   '^((我们|咱们|我)(之前|以前|已经|曾经|早就|也|都)*(试过|试用过|试了|尝试过|尝试了|测试过|用过|评估过|评估了|放弃了|否决了|排除了|弃用了)\S.*'
   || '(坏|崩|丢|失败|超时|死锁|泄漏|冲突|出错|出问题|报错|卡住|变慢|太慢|太贵|太重|太复杂|不稳定|不行|没用|不支持|扛不住|因为)'
   || '|(我们|咱们|还是|最好)+(别|不要|不再?)(用|采用|引入|换成|迁移到)\S.*(因为|毕竟))',
   '今天|现在|暂时|这次|刚才|一下|吃|披萨|跑测试',
   'rejected', 3, -1, 0.75, 'active',
   '我们试过用Redis做队列，结果丢了任务。', '今天我们不要用车，因为下雨。'),
  ('decision.rejected_ja', 'decision', 'ja', 30,
   '[をはもにへ]\S{0,8}?(試した|試しました|試してみた|試してみました|使ってみた|使ってみました|検証した|検証しました|検討した|検討しました|導入した|導入しました|移行した|移行しました)'
   || '(が|けど|けれど|ところ|ものの|んですが|んだけど|のですが|、|,|結果).*(壊|落ち|失敗|消え|失|遅|不安定|だめ|ダメ|駄目|動かな|動きません|高すぎ|複雑|重すぎ|固ま|タイムアウト|デッドロック|エラー|やめ|見送|断念)'
   || '|(ので|ため|から|を理由に)、?(\S+は)?(却下|見送|断念|採用しな|採用しません|不採用|使うのをやめ|やめました|やめることに)',
   '今日|今は|とりあえず|さっき|ランチ|ピザ|テストを実行',
   'rejected', 3, -1, 0.75, 'active',
   'キューにRedisを試しましたが、ジョブが失われました。', '今日は雨なので見送ります。');

-- All of the above came with cogmem; what is inserted later is a person's own.
update capture_rule set is_own = 0;

-- What is worth keeping of a message: one pattern per row, so that a person can add, change or switch off rules.

create table capture_rule (
  -- One row per pattern that turns a clause of a message into a proposed memory. Rules read clauses, never
  -- whole messages: code, quotations, logs and URLs are left out before, and a clause that asks, supposes,
  -- reports or jokes is passed over whatever a rule says. The whole clause is stored, so its sense is kept.
  -- `cogmem rules check` proves each row by its own example and counter-example.
  name             text primary key,                  -- family.what, for a language other than English family.what_de
  family           text not null,                     -- constraint wins over correction, correction over preference;
                                                      -- remember is what a person asks to be kept; self_error reads the agent
  language         text not null default 'en',        -- of the pattern; a label, every rule reads every message
  position         integer not null default 100,      -- within a family the lowest that matches takes the clause
  pattern          text not null,                     -- re2 syntax, no case, no accents; ^ is the clause after its opening
                                                      -- words ("ok, please …"); (?P<what>…) is the object that names the
                                                      -- memory, so that a later clause on it replaces it; without one
                                                      -- the whole clause does
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
  constraint rule_has_a_name check (name <> '' and name = lower(name)),
  constraint family_is_known check (
    family = 'constraint' or family = 'correction' or family = 'preference' or family = 'remember'
    or family = 'self_error'),
  constraint pattern_is_not_empty check (pattern <> '' and coalesce(veto, 'none') <> ''),
  constraint pattern_is_of_bounded_length check (length(pattern) <= 2000 and length(coalesce(veto, '')) <= 2000),
  constraint rule_priority_is_one_to_four check (priority between 1 and 4),
  constraint rule_polarity_is_for_or_against check (polarity in (-1, 1)),
  constraint confidence_is_a_share check (confidence between 0 and 1),
  constraint rule_state_is_candidate_or_active check (state in ('candidate', 'active')),
  constraint only_self_errors_have_an_outcome check (
    case family when 'self_error' then outcome in ('failure', 'learning') else outcome = '' end),
  constraint rule_proves_itself check (example <> '' and counter_example <> '' and example <> counter_example),
  constraint rule_is_enabled_or_not check (is_enabled in (0, 1))
) strict;

-- Constraints: what must be so, or must never be. Stored as policy.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('constraint.dont_ever', 'constraint', 'en', 10,
   '\b(?:do not|don''?t|can ?not|can''?t|must not|may not)\s+ever\s+(?P<what>\w.+)',
   '\b(?:i|you|they|he|she|it|who|people)\s+(?:do not|don''?t|can ?not|can''?t)\s+ever\b|\bever\s+(?:be afraid|forget|give up|doubt|change$'
   || '|let (?:anyone|any one|go)|stop)\b',
   'policy', 4, -1, 0.95, 'active',
   'Don''t ever delete the raw data.', 'They don''t ever answer the phone.'),
  ('constraint.never_ever', 'constraint', 'en', 11,
   '^never,?\s+ever,?\s+(?:again\s+)?(?P<what>\w.+)',
   'ever,?\s+(?:again\s+will|been|seen|had|heard|\w+ed\b)',
   'policy', 4, -1, 0.95, 'active',
   'Never ever run DROP TABLE on production.', 'Never ever seen such a long queue.'),
  ('constraint.no_circumstances', 'constraint', 'en', 12,
   '\bunder no circumstances\b,?\s+(?P<what>\w.+)', null,
   'policy', 4, -1, 0.95, 'active',
   'Under no circumstances may the raw files leave the server.', 'Under normal circumstances it takes an hour.'),
  ('constraint.must_not', 'constraint', 'en', 20,
   '\bmust(?:\s+not|n''?t|\s+never)\s+\w.+',
   '\b(?:he|she|there|that|which)\s+must\s+not\b|must(?:\s+not|\s+never|n''?t)\s+(?:have|forget|complain|grumble)\b',
   'policy', 4, -1, 0.9, 'active',
   'You must not touch the vendor directory.', 'They must not have seen my letter yet.'),
  ('constraint.may_not', 'constraint', 'en', 21,
   '\bmay\s+not\s+(?:[a-z]\w+.*)',
   '\b(?:i|we|you|he|she|they|it|this|that|there|which)\s+may\s+not\b|\bmay\s+not\s+(?:be\s+(?:the|a|an|able|enough|possible|necessary'
   || '|obvious|right|true|clear|ideal|perfect|so|as|aware)|have|know|work|need|like|want|matter|seem|always|even|yet|only|notice'
   || '|understand|agree|apply|exist|help|make)\b',
   'policy', 4, -1, 0.65, 'candidate',
   'Code coverage may not drop below 85 %.', 'It may not rain tomorrow after all.'),
  ('constraint.i_must_always', 'constraint', 'en', 21,
   '\bi\s+must\s+always\s+(?:use\s+)?(?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'I must always use the company letterhead.', 'I must go now, the bus is always full.'),
  ('constraint.must', 'constraint', 'en', 22,
   '\b\w+\s+must\s+(?:always\s+|also\s+|only\s+|all\s+|first\s+|still\s+)?(?:[a-z]\S+.*)',
   '\b(?:i|he|she|who|there|somebody|someone|something|everyone)\s+must\b|\b(?:a|an|the|no|if you|if we|if i|this|that)\s+must\b'
   || '|^(?:what|where|how|which|when|why|whatever)\b|\bmust\s+(?:be|of|know|see|try this|watch|visit|hear|admit|say|confess|agree|dash'
   || '|think|love|feel|look like|seem|mean|really|surely|truly|hurt|taste|smell|enjoy|miss)\b'
   || '|\bmust\s+(?:also\s+|all\s+|still\s+)?have\s+(?:been|\w+ed|gone|had|done|made|lost|left|forgotten|broken|taken|got|gotten|seen|said'
   || '|come|run|written|known|felt|cost|hit|put|set|its own)\b',
   'policy', 4, 1, 0.85, 'active',
   'You must run the migrations before the tests.', 'I must admit the second draft reads much better.'),
  ('constraint.all_must_be', 'constraint', 'en', 23,
   '\b(?:all|every|each|any|both|everything|everyone)\b[^,;]*?\bmust\s+(?:always\s+|also\s+|only\s+|first\s+|still\s+)?be\s+\S.+',
   '\bmust\s+be\s+(?:joking|kidding|so|really|very|tired|thrilled|excited|lovely|great|proud|hard|mad|crazy)\b',
   'policy', 4, 1, 0.85, 'active',
   'All exports must be UTF-8 encoded.', 'All of that must be so hard for her.'),
  ('constraint.must_be', 'constraint', 'en', 24,
   '\b\w+\s+must\s+(?:always\s+|also\s+|only\s+|first\s+|still\s+)?be\s+(?:(?:\w+\s+)?(?:\w\w+ed|\w+en|\w+[iau]bl[ey]|kept|built|sent|sold'
   || '|set|paid|met|done|run|read|put|cut|shown|known|drawn|sewn|born|worn|held|made|said|left|lost|bound|found|ground|brought|bought|taught|caught'
   || '|in|on|at|under|below|above|over|within|between|inside|outside|before|after|up to|less|more|no|not|exactly|only|either|\d\S*'
   || '|\w+er\s+than|unique|valid|ready|empty|idempotent|deterministic|visible|free of|up to date|backwards?|identical|equal|the same'
   || '|optional|stateless|secure|private|public|short|concise|consistent|lower|upper|signed|present|offline|online|anonymous|written|green)\b.*)',
   '\b(?:i|he|she|who|there|somebody|someone|something)\s+must\b|\b(?:a|an|the|if you|if we|if i)\s+must\b|^(?:what|where|how|which|when'
   || '|why)\b|\bsince\s+(?:we|i|you|the|they|he|she|my)\b'
   || '|\bbe\s+(?:\w+\s+)?(?:tired|thrilled|excited|scared|worried|relieved|pleased|delighted|bored|exhausted|annoyed|disappointed'
   || '|surprised|confused|mistaken|overwhelmed|interested|married|related|talented|blessed|gifted|stressed|frightened|terrified|devastated'
   || '|amazed|loved|missed|been|seven|ten|kitten|men|women|children|able|unable|possible|incredible|terrible|horrible|enjoyable'
   || '|comfortable|unbelievable|remarkable|adorable|on your mind|in love|in heaven|in pain|at home|at least one|on something'
   || '|on to something|over the moon|not easy|no fun|more to)\b',
   'policy', 4, 1, 0.8, 'active',
   'Response time must be under 200 ms at the 95th percentile.', 'You must be joking, the train is late again.'),
  ('constraint.have_to_always', 'constraint', 'en', 25,
   '\b(?:has|have)\s+to\s+(?:always\s+\w.+|.+\balways$)',
   '\b(?:i|he|she)\s+(?:has|have)\s+to\b',
   'policy', 3, 1, 0.7, 'candidate',
   'Spare keys have to be signed for, always.', 'You do not have to always show the diff.'),
  ('constraint.have_to_before', 'constraint', 'en', 26,
   '^you\s+(?:have|need)\s+to\s+(?P<what>\w.+\b(?:before|whenever|every time|each time|after)\s+(?:you\s+)?\w+(?:ing)?\b.*)',
   '\b(?:know|see|understand|leave|go|hurry)\b',
   'policy', 3, 1, 0.7, 'candidate',
   'You have to ask me before deleting anything.', 'You have to see this before it is gone.'),
  ('constraint.required', 'constraint', 'en', 30,
   '(?:\w[^,:]*?)\s+(?:is|are)\s+(?:strictly\s+|always\s+|absolutely\s+)?(?:required|mandatory|obligatory|compulsory|a must)'
   || '(?:\s+(?:for|on|in|before|when|whenever|to|by|at|here)\b.*)?$',
   'no longer|\bto work here\b|^(?:what|which|where|how|why|nothing|it|this|that|there)\b|\bwas\b',
   'policy', 4, 1, 0.8, 'active',
   'A consent form is required for each participant.', 'It is not required, just nice to have.'),
  ('constraint.required_label', 'constraint', 'en', 31,
   '^(?:required|mandatory|hard requirement|requirement|strict rule):\s*(?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'Required: Python 3.11 or newer.', 'The required field is missing from the form.'),
  ('constraint.it_is_required', 'constraint', 'en', 32,
   '^it(?:''s|\s+is)\s+(?:strictly\s+|absolutely\s+)?(?:required|mandatory|obligatory|imperative|essential)\s+(?:that|to)\s+(?P<what>\w.+)', null,
   'policy', 4, 1, 0.85, 'active',
   'It is required that every invoice carries the tax number.', 'It is nice that every invoice arrived.'),
  ('constraint.not_allowed', 'constraint', 'en', 33,
   '(?:\w[^,:]*?)\s+(?:is|are)\s+(?:strictly\s+|absolutely\s+)?(?:(?:not|never)\s+(?:allowed|permitted|acceptable)|forbidden|prohibited'
   || '|off limits)\b',
   '^(?:it|this|that|which|what|why|there)\s+(?:is|are)\b|\b(?:he|she|i|who)\s+(?:is|am)\b',
   'policy', 4, -1, 0.8, 'active',
   'Pull requests without tests are not allowed.', 'Why is this fruit forbidden in the hotel?'),
  ('constraint.it_is_forbidden', 'constraint', 'en', 34,
   '^it(?:''s|\s+is)\s+(?:strictly\s+|absolutely\s+)?(?:forbidden|prohibited|not allowed|not permitted|never allowed)\s+to\s+(?P<what>\w.+)', null,
   'policy', 4, -1, 0.85, 'active',
   'It is forbidden to store card numbers.', 'It is not forbidden to dream, is it?'),
  ('constraint.no_x_may', 'constraint', 'en', 35,
   '^(?:no\s+(?:\w[^,]*?)|nobody|no one|nothing)\s+(?:may|shall|must|can)\s+(?:ever\s+)?(?:be|leave|enter|touch|use|see|change|go|get)\b.+',
   '\bcan\s+be\s+(?:so|as|that|too|better|worse)\b',
   'policy', 4, -1, 0.8, 'active',
   'No feature may be merged without a design document.', 'No worries, nothing may come of it anyway.'),
  ('constraint.jangan_pernah_id', 'constraint', 'id', 10,
   '^jangan\s+(?:pernah|sekali-?kali|sampai)\s+(?P<what>\w.+)', null,
   'policy', 4, -1, 0.9, 'active',
   'Jangan pernah hapus data pelanggan.', 'Dia bilang jangan pernah pakai lift itu.'),
  ('constraint.harus_id', 'constraint', 'id', 22,
   '\b(?:harus|wajib)\s+\w.+',
   '\b(?:tidak|tak|belum|saya|aku|dia|apa|apakah|kenapa|mengapa)\s+(?:harus|wajib)\b',
   'policy', 4, 1, 0.8, 'active',
   'Semua laporan harus dikirim sebelum jam lima.', 'Saya harus pergi sekarang, sampai besok.'),
  ('constraint.muessen_de', 'constraint', 'de', 22,
   '^(?:alle|alles|jede[rsnm]?|die|der|du|wir|ihr|sie|es|in)\b[^,]*?\b(?:muss|mussen|musst)\b\s+\w.+',
   '\b(?:ich|man)\b|\bes muss\s+(?:ein|eine|an|wohl)\b|\b(?:wohl|los|leider)\b|\bmuss\w*\s+(?:ein fehler|verruckt)',
   'policy', 4, 1, 0.7, 'active',
   'Alle Rechnungen müssen die Steuernummer enthalten.', 'Das muss ein Fehler sein, ich habe bezahlt.'),
  ('constraint.deber_es', 'constraint', 'es', 22,
   '^(?:todos|todas|todo|cada|los|las|el|la)\b[^,]*?\b(?:deben?|tienen? que)\s+\w.+',
   '\bdeben?\s+(?:de\s+)?(?:ser un error|haber)|\b(?:dinero|euros)\b',
   'policy', 4, 1, 0.7, 'active',
   'Todos los informes deben estar en PDF.', '¿Debo usar siempre el subjuntivo aquí?'),
  ('constraint.devoir_fr', 'constraint', 'fr', 22,
   '^(?:tous|toutes|tout|chaque|les|le|la)\b[^,]*?\b(?:doit|doivent)\s+\w.+',
   '\bdoi(?:t|vent)\s+(?:etre une? (?:erreur|blague)|avoir)\b',
   'policy', 4, 1, 0.7, 'active',
   'Toutes les factures doivent porter le numéro de TVA.', 'Est-ce que je dois toujours porter un badge ?');

-- Corrections: the person sets something right. Stored as a fact of high priority.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('correction.label', 'correction', 'en', 10,
   '^(?:correction|small correction|to correct myself|let me correct (?:that|myself)|erratum)\s*[:,-]\s*\w.+', null,
   'fact', 3, 1, 0.95, 'active',
   'Correction: the meeting room is B204.', 'The correction of the exams takes two evenings.'),
  ('correction.wrong', 'correction', 'en', 11,
   '^(?:that''?s|that is|this is|you''?re|you are|i was|that was|you were|you got it)\s+(?:\w+\s+)?(?:wrong|incorrect|mistaken|not true'
   || '|not correct|not right|not quite right)'
   || '(?:\s+(?:earlier|before|there|here|about \w+))?\s*[:,;.!-]+\s*\w.+',
   '[:,;.!-]\s*(?:but|and|sorry|i think|i guess|please|can|could|try|fix|let''?s|right|isn''?t|though)\b',
   'fact', 3, 1, 0.85, 'active',
   'That''s wrong, the function returns a list.', 'Tell me if that is wrong, please.'),
  ('correction.i_meant', 'correction', 'en', 12,
   '^(?:i|we)\s+(?:actually\s+|really\s+)?meant\s+\w.+', '\bmeant\s+(?:to|well|it|that as|no)\b',
   'fact', 3, 1, 0.75, 'active',
   'I meant the production cluster, not staging.', 'I meant to write to you last week.'),
  ('correction.actually', 'correction', 'en', 20,
   '^actually,?\s+\w.+',
   '^actually,?\s+(?:let''?s|let me|let us|can|could|would|will|please|never ?mind|nvm|what|how|why|who|when|where|do|does|did|is|are|maybe'
   || '|perhaps|forget|scratch|wait|no|yes|just|one|hold|stop|'
   || 'add|make|change|remove|show|give|tell|write|fix|try|skip|keep|leave|go|put|move|rename|start|undo|revert|ignore|quite|pretty|not'
   || '|nice|good|great|looks|sounds|same|still|that (?:looks|sounds|works|makes|seems|did|does)|'
   || '(?:that|it)(?:''?s| is| was)\s+(?:fine|ok|okay|good|great|perfect|enough|all|nice|working|better)|that works|'
   || 'i(?:''?m| am)\s+(?:not sure|wondering|fine|good|done|curious)|i(?:''?d| would| could| think| guess| wonder| was (?:wondering'
   || '|thinking|going|about|hoping|just)| don''?t (?:think|know|mind|care)| want| need| have (?:a|another|one)|''?ll| will| just| like'
   || '| love)|we should|you (?:can|could|should))\b',
   'fact', 3, 1, 0.8, 'active',
   'Actually, the port is 8081.', 'Actually, let us do the second option.'),
  ('correction.no', 'correction', 'en', 21,
   '^(?:no|nope|nah|wrong|incorrect|false|not quite)\s*[,.:;!-]+\s*\w.+',
   '^(?:no|nope|nah|wrong|incorrect|false|not quite)\s*[,.:;!-]+\s*(?:no\b|same|still|again|good|great|nice|'
   || 'it (?:still|also|just|now|does|didn|won|fails?|works?|keeps?|never|only)|that (?:did|does|won|looks|sounds|works|makes)|there (?:is'
   || '|are) (?:no|still)|thanks|thank|thx|ty\b|gracias|merci|danke|problem|worries|idea|need|not|nothing|none|never ?mind|please|wait'
   || '|sorry|go|let''?s|let me|but|and|or|nor|more|less|'
   || 'really|ok|okay|maybe|perhaps|forget|just|right|on|in|leave|keep|continue|don''?t|do not|stop|never|you|there|it''ll|i''ve|honestly'
   || '|seriously|of course|absolutely|definitely|what|why|how|who|where|is|are|can|could|would|do|does|did|'
   || 'money|time|politely|i(?:''?m| am)\s+(?:fine|good|ok|okay|listening|done|not|sorry|just|still|afraid)|i(?:''?ll| will|''?d| would'
   || '| think| guess| mean| was| just| don''?t (?:think|know|need|want|mind|care|believe|see|have)| didn''?t| haven''?t| can''?t| have no)|'
   || '(?:that|it|this)(?:''?s| is| was| will)\s+(?:all|fine|ok|okay|it|enough|good|great|everything|alright|not what|not necessary|too)'
   || '|that will do|we(?:''?re| are)\s+(?:good|fine|done)|\w+$)\b',
   'fact', 3, 1, 0.75, 'active',
   'No, the deadline is the 14th of May.', 'Casino, hotel and spa are in one building.'),
  ('correction.not_but', 'correction', 'en', 30,
   '(?:^|\b(?:is|are|was|were|it''?s|that''?s|uses?|on|at|in|called|named|costs?|means?|lives?|runs?)\s+)not\s+(?:[^,;]+?),?\s+but\s+\w.*',
   '\bnot\s+(?:about|only|just|merely|sure|bad|great|perfect|good|ideal|easy|really|that|yet|exactly|too|very|so|much|always|necessarily'
   || '|quite|entirely|working|finished|done|ready|fully|completely|a fan|an expert|my|the best|the prettiest|nice|pretty|cheap|fast|urgent'
   || '|important)\b'
   || '|\bbut\s+(?:i|it|we|you|they|he|she|there|that|this|still|also|then|now|let|please|can|could|would|should|not|for|works?|nice|fine'
   || '|ok|okay|good|enough|at least|close|almost|maybe|a little|a bit|if|when|what|how|why|only|very|quite|rather|hey|never)\b'
   || '|\b(?:matters?|counts?|fascinates?|bothers?|interests?)\b',
   'fact', 3, 1, 0.75, 'active',
   'The capital of Australia is not Sydney but Canberra.', 'I''m not sure but I think the port is open.'),
  ('correction.isnt_its', 'correction', 'en', 31,
   '\b(?:isn''?t|is not|aren''?t|are not|wasn''?t|was not|''s not)\s+(?:[^,;]+?)\s*[,;:-]\s*(?:it''?s|it is|they''?re|they are|it was'
   || '|he''?s|she''?s)\s+\w.*',
   '\b(?:isn''?t|not)\s+(?:only|just|that|so|really|about|bad|great|good|perfect|required|working|sure|easy|hard|too|very|my fault|fair|fun'
   || '|possible)\b|\b(?:it''?s|it is|they''?re)\s+(?:just|only|about|fine|ok|okay|still|more|not|nice|good|because|too|so|really)\b',
   'fact', 3, 1, 0.75, 'active',
   'It isn''t Node 18, it''s Node 20.', 'It isn''t perfect, it''s just a first draft.'),
  ('correction.x_not_y', 'correction', 'en', 32,
   '^(?:the|my|our|his|her|its|this|it|that|we|i|they|he|she)\b[^,;]*(?:''(?:s|re|m)|\b(?:is|am|are|was|were|runs?|lives?|opens?|closes?'
   || '|starts?|uses?|goes|ends?|costs?|belongs?))\s+(?:[^,;]+?)(?:,\s+(?:and\s+)?|\s+and\s+)not\s+(?:at\s+|on\s+|in\s+|to\s+|the\s+'
   || '|a\s+)?[\w.:/-]+(?:\s+[\w.:/-]+)?(?:\s+[\w.:/-]+)?$',
   '\bprefer|\bnot\s+(?:sure|yet|really|bad|that|the best|even|too|so|very|always|necessarily|a problem|great|good|only|just|me|mine'
   || '|perfect|exactly)\b|\bsays?\b|(?:is|was|''s)\s+(?:nice|fine|ok|okay|good|great|funny|hard|easy|about)\b',
   'fact', 3, 1, 0.6, 'candidate',
   'The test database is called kestrel_test, not test_kestrel.', 'The soup is nice, not great.'),
  ('correction.sebenarnya_id', 'correction', 'id', 20,
   '^(?:sebenarnya|sebetulnya|koreksi)\s*[:,]?\s+\w.+',
   '^\w+\s*[:,]?\s+(?:apa|apakah|bisa|bisakah|kenapa|mengapa|bagaimana|siapa|saya (?:rasa|pikir|ingin|mau)|tolong|tidak apa)\b',
   'fact', 3, 1, 0.8, 'active',
   'Sebenarnya nama tokonya Sinar Jaya.', 'Sebenarnya apa arti kata itu dalam kalimat?'),
  ('correction.bukan_id', 'correction', 'id', 30,
   '\bbukan\s+(?:[^,;]+?),?\s+(?:tapi|tetapi|melainkan)\s+\w.+', '\bbukan\s+(?:hanya|cuma|saja)\b',
   'fact', 3, 1, 0.8, 'active',
   'Bukan hari Senin tapi hari Rabu.', 'Bukan hanya murah tapi juga enak sekali.'),
  ('correction.tidak_id', 'correction', 'id', 31,
   '^(?:tidak|bukan|nggak)\s*[,:]\s*\w.+', '[,:]\s*(?:terima kasih|makasih|apa-apa|usah|perlu|masalah|saya|cukup|sudah)\b',
   'fact', 3, 1, 0.7, 'active',
   'Bukan, rapatnya di lantai tiga.', 'Tidak, terima kasih, sudah cukup.'),
  ('correction.nein_de', 'correction', 'de', 21,
   '^(?:nein|stimmt nicht|falsch)\s*[,.:;!-]+\s*\w.+',
   '^\w+(?: nicht)?\s*[,.:;!-]+\s*(?:danke|bitte|warte|moment|lass|ich (?:glaube|denke|meine|habe|brauche|mochte|will|wollte|weiss)'
   || '|das (?:reicht|ist alles|passt|war)|schon gut|kein|keine|alles|noch|nicht|aber|doch|ist|sind|hast|kannst)\b',
   'fact', 3, 1, 0.75, 'active',
   'Nein, die Sitzung ist am Dienstag.', 'Nein danke, das reicht mir für heute.'),
  ('correction.en_realidad_es', 'correction', 'es', 20,
   '^(?:en realidad|correccion)\s*[:,]?\s+\w.+', '^en realidad,?\s+(?:puedes|quiero|prefiero|creo|no se|que|como|por que|necesito|me gustaria|podrias)\b',
   'fact', 3, 1, 0.8, 'active',
   'En realidad, la tienda abre a las nueve.', 'En realidad, ¿puedes hacerlo más corto?'),
  ('correction.en_fait_fr', 'correction', 'fr', 20,
   '^en fait\s*[:,]?\s+\w.+', '^en fait,?\s+(?:peux|pouvez|pourrais|je (?:pense|crois|veux|voudrais|ne sais|prefere)|est-ce|non|oui|c''est (?:bon|bien|parfait)|laisse|fais|comment|pourquoi)\b',
   'fact', 3, 1, 0.8, 'active',
   'En fait, la boutique ouvre à dix heures.', 'En fait, peux-tu le raccourcir un peu ?'),
  ('correction.non_fr', 'correction', 'fr', 21,
   '^non\s*[,.:;!-]+\s*(?:(?:c''est|ce n''est|la|le|les|l''|il|elle|mon|ma|mes|notre|nos|on)\b.+)', '\b(?:c''est (?:bon|tout|bien|parfait)|merci)\b',
   'fact', 3, 1, 0.75, 'active',
   'Non, le train part à huit heures.', 'Non merci, c''est tout pour aujourd''hui.');

-- Preferences: how a person wants things done, or usually does them.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('preference.never', 'preference', 'en', 10,
   '^(?:(?:i want you to|make sure (?:to|you)|be sure to|you should|try to|we should)\s+)?never\s+(?:again\s+)?(?:use\s+'
   || '|again use\s+)?(?P<what>[a-z].+)',
   '\bnever\s+(?:mind|heard|been|seen|had|knew|thought|gonna|ever|was|were|got|did|met|saw|felt|found|went|too|a|an|in|to|on|once|before'
   || '|say never|have i|had i|will i|would|again will|again would|give up|stop (?:dreaming|believing|learning|trying)|doubt|forget|die'
   || '|gets?|want|\w*[^eb\W]ed)\b',
   'preference', 2, -1, 0.8, 'active',
   'Never commit generated files.', 'Never mind, I found the receipt.'),
  ('preference.always', 'preference', 'en', 11,
   '^(?:(?:i want you to|make sure (?:to|you)|be sure to|you (?:should|need to|have to)|try to|we (?:should'
   || '|need to))\s+)?always\s+(?:use\s+|using\s+)?(?P<what>[a-z].+)',
   '\balways\s+(?:a|an|the same|been|wanted|nice|fun|good|glad|happy|thought|here|there|something|so|in my|on my|welcome|interesting|better'
   || '|worth|great|on time|late|available|looking|nervous|liked|loved|wondered|up|down|ready|happy|a pleasure|look|looks)\b',
   'preference', 2, 1, 0.8, 'active',
   'Always use type hints in Python code.', 'I don''t always use tabs in my files.'),
  ('preference.dont_use', 'preference', 'en', 12,
   '^(?:do not|don''?t|dont|stop|avoid|quit)\s+(?:ever\s+)?us(?:e|ing)\s+(?P<what>\S.+)', null,
   'preference', 2, -1, 0.75, 'active',
   'Don''t use moment.js, we moved to date-fns.', 'They do not use moment.js any more.'),
  ('preference.use_always', 'preference', 'en', 13,
   '^use\s+(?P<what>\S.*?)\s+(?:always|every time|everywhere)\b', null,
   'preference', 2, 1, 0.8, 'active',
   'Use two spaces always in the YAML files.', 'The kids use two spoons, it is always fun.'),
  ('preference.prefer', 'preference', 'en', 20,
   '\b(?:i|we)(?:''d|\s+would)?\s+(?:(?:really|much|generally|usually|always|strongly|still|also|rather|normally|personally|definitely'
   || '|highly|greatly)\s+)*prefer\s+(?P<what>\S.+)',
   '\bprefer\s+(?:(?:it|this|that|them|both|neither|either)\b[^a-z]*(?:$|,)|not to\b|to (?:wait|stay|go|leave|sleep|think|talk|meet|stop)\b'
   || '|if\b|either\b|neither\b|the (?:second|first|third|other|latter|former|left|right)(?: (?:one|option|version)\b|\s*(?:$|,)))',
   'preference', 2, 1, 0.9, 'active',
   'I prefer pytest over unittest for anything new.', 'We no longer prefer Helm, but the charts exist.'),
  ('preference.prefer_order', 'preference', 'en', 20,
   '^(?:always\s+)?(?:prefer|favou?r)\s+(?P<what>\S.+)', '^\w+\s+(?:not|to not)\b',
   'preference', 2, 1, 0.85, 'active',
   'Prefer composition over inheritance.', 'Some people prefer composition over inheritance.'),
  ('preference.rather', 'preference', 'en', 21,
   '\b(?:i|we)(?:''d|\s+would)\s+(?:much\s+)?rather\s+(?P<what>\S.+\s+than\s+\S.+)', '\brather\s+(?:not|wait|stay|go|die|you|say|think|sleep|talk)\b',
   'preference', 2, 1, 0.6, 'candidate',
   'I''d rather have one big file than ten tiny ones.', 'I would rather not talk about that now.'),
  ('preference.my_favourite', 'preference', 'en', 21,
   '\b(?:my|our)\s+(?:favou?rite|preferred|preference|personal preference)\b(?P<what>.*?)\s+(?:is|are)\s+\S.+',
   '\b(?:favou?rite|preferred)\s+(?:part|bit|thing|moment|line|joke|one|memory|scene|chapter|teacher|aunt|uncle)\b',
   'preference', 2, 1, 0.8, 'active',
   'My favourite colour scheme is solarized light.', 'My favourite part is the ending, well done.'),
  ('preference.dislike', 'preference', 'en', 22,
   '\b(?:i|we)\s+(?:really\s+|just\s+)?(?:(?:do not|don''?t|dont)\s+(?:really\s+)?(?:like|want any|want to see)|hate|dislike'
   || '|can''?t stand)\s+(?P<what>\S.+)',
   '\b(?:like|hate|dislike|stand)\s+(?:it|this|that|these|those|how|what|where|your|the|him|her|them|you|to (?:say|admit|bother|ask'
   || '|interrupt|wait)|when|being)\b|\bwant any (?:trouble|help|more|problems|part)\b',
   'preference', 2, -1, 0.6, 'candidate',
   'I don''t like nested ternaries.', 'I don''t like this version of the logo.'),
  ('preference.like_when', 'preference', 'en', 23,
   '^(?:i|we)\s+(?:really\s+)?(?:like|love|hate|appreciate)\s+it\s+when\s+(?P<what>\S.+)', null,
   'preference', 2, 1, 0.7, 'candidate',
   'I like it when you answer with a table first.', 'I like it, when can we start with it?'),
  ('preference.i_like', 'preference', 'en', 23,
   '^(?:i|we)\s+(?:really\s+|generally\s+|usually\s+)?like\s+(?P<what>\S.+)',
   '\blike\s+(?:it|this|that|these|those|how|what|where|your|the|him|her|them|you|both|all|either|everything|a lot|to (?:think|imagine|know'
   || '|believe|say|thank))\b',
   'preference', 2, 1, 0.6, 'candidate',
   'I like concise variable names and short functions.', 'I like how the second chart turned out.'),
  ('preference.should_never', 'preference', 'en', 30,
   '\b(?:should|shall|ought to)\s+(?:never|not ever)\s+(?:use\s+)?\w.+', '\bnever\s+(?:have|had|been)\b',
   'preference', 2, -1, 0.75, 'active',
   'Tests should never touch the network.', 'I should never have sold that bicycle.'),
  ('preference.should_always', 'preference', 'en', 31,
   '\b(?:should|shall|ought to)\s+always\s+(?:use\s+)?\w.+', '\balways\s+(?:have been|feel)\b',
   'preference', 2, 1, 0.75, 'active',
   'Functions should always have a docstring.', 'Should we always escape HTML in templates?'),
  ('preference.from_now_on', 'preference', 'en', 32,
   '^(?:from now on|going forward|from here on|in (?:the )?future)\s*,?\s+(?:please\s+)?(?P<what>[a-z].+)',
   '^(?:from now on|going forward|from here on|in (?:the )?future)\s*,?\s+(?:i|it|its|the|this|there|they|he|she|a|an|most|many|people|my'
   || '|your|everything|nothing|things|life|cars|that|is|are|will|\w+\s+(?:can|will|may|might|is|are|was|were|has|had|gets?))\b',
   'preference', 2, 1, 0.8, 'active',
   'From now on, write the commit messages in English.', 'From now on it gets easier, the teacher said.'),
  ('preference.by_default', 'preference', 'en', 32,
   '^(?:by default|as a rule)\s*,?\s+(?:please\s+)?(?P<what>(?:use|answer|reply|write|show|include|send|assume|speak|keep|format|return'
   || '|give|start|create|make|put|add|sort|group|convert|translate|run|book|order|pick|choose|take|open|set|leave|hide|round|save|ask)\b.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'By default, use the Lyon warehouse for stock checks.', 'By default the test runner captures the output.'),
  ('preference.until_further_notice', 'preference', 'en', 33,
   '^(?P<what>[a-z].+?),?\s+(?:from now on|going forward|from here on out|until further notice|by default)(?:,?\s+(?:please|pls|thanks'
   || '|thank you))?(?::.*)?$',
   '\b(?:will|won''?t|going to|i''?ll|was|were|is|are|has|had|it|does|comes|uses)\b',
   'preference', 2, 1, 0.75, 'active',
   'Please answer in bullet points from now on.', 'The shop is closed until further notice.'),
  ('preference.whenever', 'preference', 'en', 34,
   '^(?:whenever|every time|each time|(?:before|after) (?:every|each|any))\s+(?:[^,]+?),?\s+(?:please\s+|always\s+|first\s+)?'
   || '(?:run|check|update|regenerate|bump|show|ask|add|write|make|use|test|format|commit|tell|remind|start|open|close|send|print|create'
   || '|rebuild|verify|validate|log|tag|notify|post|mention|attach|copy|move|upload|announce|restart|reset|lock|wash|thank|push|pull|sync'
   || '|save|back up|review|read|list|include|sign|count|confirm|clean|compare|export|translate)\s+\S.*',
   ',\s*(?:i|we|it|they|he|she|the|my|our|you|there|that|this|people)\b',
   'workflow', 3, 1, 0.7, 'active',
   'Before every commit, run the linter.', 'Every time I open it, the app crashes.'),
  ('preference.i_never', 'preference', 'en', 40,
   '(?:^|,\s+(?:and\s+|but\s+|so\s+)?)(?:i|we)\s+never\s+(?:use\s+)?(?P<what>[a-z].+)',
   '\bnever\s+(?:\w*[^eb\W]ed|got|get|said|say|saw|see|knew|know|thought|think|had|have|was|were|did|do|went|came|made|took|felt|found|find'
   || '|heard|hear|told|ever|mind|meant|understood|understand|wrote|read|sent|bought|brought|ate|won|lost|left|gave|forgot|forget|ran|quite'
   || '|again|really|expect|hope|manage|remember|seem|could|would|will|should|been|want to (?:go|leave|lose|do|be|feel|hear|come)|wants'
   || '|fully|properly|actually|once|met|paid|spoke|chose|began|grew|let|put it)\b',
   'preference', 2, -1, 0.65, 'candidate',
   'I never use semicolons in TypeScript.', 'I never got your invoice, please send it again.'),
  ('preference.i_always', 'preference', 'en', 41,
   '(?:^|,\s+(?:and\s+|but\s+|so\s+)?)(?:i|we)\s+always\s+(?:use\s+)?(?P<what>[a-z].+)',
   '\balways\s+(?:\w*[^eb\W]ed|get|got|forget|confuse|mix|lose|lost|thought|think|had|was|were|knew|know|felt|feel|seem|end up|wonder'
   || '|have (?:trouble|problems|difficulties|to|a hard|issues)|struggle|fail|say|said|remember|see|saw|hear|find|found|go|went|came|did'
   || '|took|told|made|make (?:mistakes|the same)|gave|ran|ate|wore|bought|brought|kept|left|stood|sat|paid|sent|spent|wrote|meant|hope'
   || '|love|enjoy|am|are|run into|stumble|mess|look|looking|want|dream)\b',
   'preference', 2, 1, 0.65, 'candidate',
   'I always use tabs in Go files.', 'I always forget the syntax for heredocs.'),
  ('preference.lebih_suka_id', 'preference', 'id', 20,
   '\b(?:saya|aku|kami|kita)\s+(?:lebih\s+(?:suka|memilih|senang)|memilih)\s+(?P<what>\w.+)', '\btidak\s+lebih\b',
   'preference', 2, 1, 0.9, 'active',
   'Saya lebih suka jawaban yang singkat.', 'Saya tidak lebih suka yang mana pun.'),
  ('preference.selalu_id', 'preference', 'id', 11,
   '^selalu\s+(?:gunakan|pakai|pakailah)?\s*(?P<what>\w.+)', '^selalu\s+(?:ada|saja|begitu|gagal|begini)\b',
   'preference', 2, 1, 0.8, 'active',
   'Selalu gunakan bahasa Indonesia yang baku.', 'Saya tidak selalu pakai tabel di laporan.'),
  ('preference.jangan_pakai_id', 'preference', 'id', 12,
   '^jangan\s+(?:gunakan|pakai|menggunakan|memakai)\s+(?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Jangan gunakan singkatan di surat resmi.', 'Jangan khawatir, masih banyak waktu kok.'),
  ('preference.bevorzuge_de', 'preference', 'de', 20,
   '\b(?:ich|wir)\s+(?:bevorzuge|bevorzugen)\s+(?P<what>\w.+)|\bbevorzuge\s+ich\s+(?P<other>\w.+)', '\b(?:kein|keine|keinen|nicht)\s+(?:von|mehr)\b',
   'preference', 2, 1, 0.9, 'active',
   'Ich bevorzuge kurze Antworten ohne Einleitung.', 'Bevorzugst du kurze oder lange Antworten?'),
  ('preference.immer_de', 'preference', 'de', 11,
   '^(?:verwende|benutze?|nutze?|schreibe?|nimm|antworte|zeige?|nenne?|gib|setze?|formuliere)\s+(?:bitte\s+)?(?:mir\s+)?(?:immer|stets'
   || '|grundsatzlich)\s+(?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Bitte verwende immer die Sie-Form in Kundenmails.', 'Muss ich immer die lange Form verwenden?'),
  ('preference.niemals_de', 'preference', 'de', 10,
   '^(?:verwende|benutze?|nutze?|schreibe?|nimm|zeige?|nenne?|gib|setze?|losche?)\s+(?:bitte\s+)?(?:nie|niemals|nie wieder)\s+(?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Verwende niemals Gleitkommazahlen für Geldbeträge.', 'Das habe ich noch nie verwendet, ehrlich.'),
  ('preference.prefiero_es', 'preference', 'es', 20,
   '\b(?:prefiero|preferimos)\s+(?P<what>\w.+)', '\b(?:prefiero|preferimos)\s+(?:que no|esperar|no (?:decir|saber))\b|^no\s+prefiero',
   'preference', 2, 1, 0.9, 'active',
   'Prefiero respuestas cortas y con ejemplos.', '¿Prefieres respuestas cortas o largas?'),
  ('preference.siempre_es', 'preference', 'es', 11,
   '^(?:(?:usa|utiliza|escribe|responde|pon|muestra|emplea)\s+siempre|siempre\s+(?:usa|utiliza|escribe|responde|pon|muestra'
   || '|emplea))\s+(?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Usa siempre el sistema métrico en las recetas.', '¿Debo usar siempre el sistema métrico?'),
  ('preference.nunca_es', 'preference', 'es', 10,
   '^(?:nunca|jamas|no)\s+(?:uses|utilices|escribas|pongas|borres|muestres|incluyas|menciones|envies)\s+(?:nunca\s+)?(?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'Nunca uses mayúsculas en los títulos.', 'Nunca he usado ese programa, la verdad.'),
  ('preference.prefere_fr', 'preference', 'fr', 20,
   '\b(?:je prefere|nous preferons)\s+(?P<what>\w.+)', '\bprefere\s+(?:ne pas|attendre|pas)\b',
   'preference', 2, 1, 0.9, 'active',
   'Je préfère les réponses courtes.', 'Tu préfères les réponses courtes ?'),
  ('preference.toujours_fr', 'preference', 'fr', 11,
   '^(?:utilise|utilisez|ecris|ecrivez|reponds|repondez|mets|mettez|emploie|employez|affiche)\s+toujours\s+(?P<what>\w.+)', null,
   'preference', 2, 1, 0.8, 'active',
   'Utilise toujours le vouvoiement avec les clients.', 'Elle utilise toujours ce vieux téléphone.'),
  ('preference.jamais_fr', 'preference', 'fr', 10,
   '^(?:n''|ne\s+)(?:utilise|utilisez|ecris|ecrivez|mets|mettez|emploie|employez|supprime|mentionne|cite)\s+jamais\s+(?P<what>\w.+)', null,
   'preference', 2, -1, 0.8, 'active',
   'N''utilise jamais d''anglicismes dans mes textes.', 'Je n''utilise jamais ce mot, enfin presque.');

-- Asked to remember: stored as what the rest of the clause is, a plain fact if no other rule knows it.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('remember.this', 'remember', 'en', 10,
   '^(?:remember|memori[sz]e|save|store|keep|note)\s+(?:this|that|the following|these|it)(?:\s+(?:down|fact|facts|rule|rules'
   || '|points?))?(?:\s+(?:to|in)\s+(?:your\s+|the\s+)?memory|\s+for\s+(?:later|next time|the future))?\s*[:,-]\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Remember this: the staging password rotates every Monday.', 'She will remember this day for ever.'),
  ('remember.label', 'remember', 'en', 11,
   '^(?:remember|reminder for you|to remember|memo)\s*:\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Remember: Lena''s judo is on Tuesdays at 17:00.', 'Do you remember: was it red or blue?'),
  ('remember.that', 'remember', 'en', 12,
   '^(?:(?:i want you to|i need you to|make sure (?:to|you)|you (?:should|must|have to|need to|can)|always|just|try to)\s+)?'
   || '(?:remember|keep in mind|bear in mind|note|take note|make a note|don''?t forget|do not forget|never forget'
   || '|memori[sz]e)\s+that\s+(?P<what>\S.+)',
   '\b(?:remember|forget|mind)\s+that\s+(?:time|day|one|guy|bug|night|summer|moment|feeling)\b',
   'fact', 2, 1, 1.0, 'active',
   'Remember that our fiscal year starts in April.', 'I remember that the shop had a green door.'),
  ('remember.to_always', 'remember', 'en', 13,
   '^(?:remember|don''?t forget|do not forget)\s+to\s+(?P<what>(?:always|never)\s+\S.+)', null,
   'preference', 2, 1, 1.0, 'active',
   'Remember to always ask me before you send an email.', 'Remember to breathe, I tell myself.'),
  ('remember.in_memory', 'remember', 'en', 14,
   '^(?:save|add|store|commit|put|write)\s+(?:this\s+|the following\s+)?(?:to|in|into)\s+(?:your\s+|the\s+)?memory\s*(?:[:,-]'
   || '|\bthat\b)\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Add to memory: the wholesale price list is in the Drive folder.', 'Store in memory chips is cheaper now.'),
  ('remember.for_reference', 'remember', 'en', 15,
   '^(?:(?:for (?:future|your|later) reference|for the record|for your information)\s*[:,-]|(?:fyi|just so you know'
   || '|so you know)\s*[:,-]?)\s+(?P<what>\S.+)',
   '\b(?:i think|i guess|i(?:''?m| am) (?:not|just))\b',
   'fact', 1, 1, 0.7, 'candidate',
   'For future reference: the printer on floor 2 is called HPL-221.', 'For the record player I need a belt.'),
  ('remember.it', 'remember', 'en', 16,
   '^(?:remember|save|memori[sz]e|store|note)\s+(?:this|that|it)(?:\s+(?:down|forever|in future|from now on)|\s+for\s+(?:later|next time'
   || '|the future|me)|\s+(?:to|in)\s+(?:your\s+|the\s+)?memory|,?\s+please|,?\s+ok(?:ay)?)*$', null,
   'fact', 2, 1, 1.0, 'active',
   'I use zsh on all my machines. Remember this.', 'It is a day to remember, this one.'),
  ('remember.ingat_id', 'remember', 'id', 12,
   '^(?:ingat|ingatlah|catat|catatlah)\s*(?:ini\s*[:,]|bahwa\b|kalau\b|:)\s*(?P<what>\S.*|)$', null,
   'fact', 2, 1, 1.0, 'active',
   'Ingat ini: gudang tutup setiap hari Minggu.', 'Saya tidak ingat nama tokonya lagi.'),
  ('remember.merk_dir_de', 'remember', 'de', 12,
   '^(?:merk(?:e)? dir|denk (?:bitte )?daran|vergiss nicht|beachte)\s*(?:bitte\s*)?(?:[:,]\s*)?(?:dass\s+)?(?P<what>\S.+)', '\b(?:zu|das|die|den)\s+(?:kaufen|holen)\b',
   'fact', 2, 1, 1.0, 'active',
   'Merk dir: die Lieferung kommt donnerstags.', 'Das merke ich mir schon irgendwie.'),
  ('remember.recuerda_es', 'remember', 'es', 12,
   '^(?:recuerda|recuerde|ten en cuenta|no olvides|apunta|anota)\s*(?:que\b|:)\s*(?P<what>\S.+)', null,
   'fact', 2, 1, 1.0, 'active',
   'Recuerda que la tienda cierra a las ocho.', 'Me recuerda que soy un despistado.'),
  ('remember.souviens_toi_fr', 'remember', 'fr', 12,
   '^(?:souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|n''oublie pas|n''oubliez pas)\s*(?:bien\s+)?(?:que\b|qu''|:)\s*(?P<what>\S.+)', null,
   'fact', 2, 1, 1.0, 'active',
   'Souviens-toi que le budget est de 3000 euros.', 'Je me souviens que la porte était verte.');

-- The agent's own mistakes, read from what it says. Stored as an episode, not as something held true.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example, counter_example)
values
  ('self_error.admitted', 'self_error', 'en', 10,
   '\b(?:i\s+(?:made|introduced|caused|had)\s+(?:a\s+|an\s+|the\s+|another\s+)?(?:\w+\s+)?(?:mistake|error|bug|regression|typo)'
   || '|my\s+(?:mistake|error|bad|fault)|i\s+was\s+(?:wrong|mistaken)'
   || '|i\s+(?:misread|misunderstood|overlooked|forgot|broke|mistakenly|accidentally|incorrectly|wrongly)\b|i\s+should(?:n''?t'
   || '|\s+not)?\s+have\b|i\s+apologi[sz]e\s+for)',
   '\b(?:handling|if i (?:made|was)|unless)\b', 'self_error', 1, 1, 0.8, 'active', 'failure',
   'I made a mistake in the migration: the column is nullable.',
   'I added error handling for the mistake that users often make.'),
  ('self_error.failed', 'self_error', 'en', 20,
   '\b(?:the|my|that|this)\s+(?:\w+\s+)?(?:command|build|tests?|attempt|approach|edit|patch|fix|script|call|request|migration|query|change'
   || '|import|deployment)\s+(?:\w+\s+)?(?:failed|fails|errored|did(?:n''?t|\s+not)\s+work|broke|crashed|timed out|was rejected)\b',
   '\b(?:no longer|if|when|whenever)\b', 'self_error', 1, 1, 0.6, 'candidate', 'failure',
   'The build failed because the path in the script does not exist.',
   'When the build failed last year, your team added this check to the pipeline.'),
  ('self_error.tried_again', 'self_error', 'en', 30,
   '\b(?:let me|i''?ll|i will|i am going to|i''?m going to)\s+(?:try|retry|redo|correct|fix)\s+(?:again|it again|that again|this again'
   || '|a different|another|once more|that mistake|my|with a different|it with|that by)\b', null,
   'self_error', 1, 1, 0.6, 'candidate', 'learning',
   'Let me try again with the absolute path of the configuration.',
   'You can try again tomorrow with the absolute path of the file.');

-- What is worth keeping of a message: one pattern per row, so that a person can add, change or switch off rules.

create table capture_rule (
  -- One row per pattern that turns a clause of a message into a proposed memory. Rules read clauses, never
  -- whole messages: code, quotations, logs and URLs are left out before, and a clause that asks, supposes,
  -- reports or jokes is passed over whatever a rule says. The whole clause is stored, so its sense is kept.
  -- `cogmem rules check` proves each row by its own example and counter-example.
  name             text primary key,                  -- family.what, for a language other than English family.what_de
  family           text not null,                     -- constraint wins over correction, decision, profile, preference and
                                                      -- statement, in this order; remember is what a person asks to be kept;
                                                      -- self_error reads the agent
  language         text not null default 'en',        -- of the pattern; rules in de, es, fr, pt, it, nl, zh and ja read
                                                      -- messages in that language, all others read every message
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

-- Plain statements: who somebody is, what was decided, how people want things done, what is so. English first, then a few
-- rows for each of eight languages; what no row knows is left to the scorer (cogmem/hear/scorer.py).
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('profile.name', 'profile', 'en', 10,
   '^(?:my (?:full |first |last |middle |real )?name(?:''s|\s+is)|i(?:''m| am)\s+called|i\s+go\s+by|(?:people|everyone'
   || '|friends)\s+calls?\s+me|my\s+pronouns\s+are)\s+(?P<what>\S.*)',
   '\b(?:missing|wrong|misspelled|too|taken|in the|on the|nice)\b',
   'profile', 2, 1, 0.9, 'active',
   'My name is Ada.', 'My name is missing from the list.'),
  ('profile.am_a', 'profile', 'en', 20,
   '^(?:i(?:''m|\s+am|\s+work\s+as)|im|as)\s+(?:an?|the)\s+(?:[\w-]+\s+)*?[\w-]*(?:er|or|ist|ian|nurse|student|chef|cook'
   || '|dad|mum|mom|parent|lead|vegan|ceo|cto|cfo|lawyer|vet|architect|scientist|analyst|consultant|accountant|assistant'
   || '|founder|phd|expat|introvert|morning person|night owl)\b',
   '\b(?:user|admin|customer|bit|little|another|over|order|error|number|folder|server|computer|either|never|ever|other'
   || '|further|for this|in our|role|villain|character|knight|wizard|reminder|disaster|monster|winner|loser|better|sucker'
   || '|believer)\b|\bi\s+(?:can|want)\s+(?:reset|ban|see|to)\b',
   'profile', 2, 1, 0.85, 'active',
   'I''m a backend developer at a small insurance company.', 'As a user I can reset my password.'),
  ('profile.trait', 'profile', 'en', 21,
   '^(?:since\s+|because\s+)?(?:i(?:''m|\s+am)|im|we(?:''re|\s+are))\s+(?:(?:mildly|severely|also|strictly|partly|badly|a'
   || '|not a)\s+)?(?:vegan|vegetarian|pescatarian|allergic\s+to|colou?r[\s-]?blind|dyslexic|deaf|blind|visually\s+impaired'
   || '|hard\s+of\s+hearing|left-handed|diabetic|celiac|coeliac|lactose\s+intolerant|gluten|pregnant|muslim|jewish|christian'
   || '|retired|married|divorced|based\s+in|originally\s+from|from\s+\w+$|self[\s-]taught|new\s+to|native\s+speaker'
   || '|responsible\s+for|in\s+charge\s+of|\d\d(?:\s+years\s+old)?$)',
   '\b(?:this file|this code|future lol|here)\b',
   'profile', 2, 1, 0.9, 'active',
   'I''m allergic to peanuts.', 'I''m confused by this error.'),
  ('profile.lives', 'profile', 'en', 22,
   '^(?:i|we)\s+(?:currently\s+|now\s+|both\s+|mostly\s+|just\s+)?(?:live|work|teach|study|grew\s+up|was\s+(?:born'
   || '|raised)|come|moved|rent|own)\s+(?:in|at|near|on|from|to|for|as|with|part\s+time|nights|alone|an?)\s*(?P<what>\S.*)',
   '\b(?:this|today|tonight|tomorrow|yesterday|next|the (?:next|other|second|first|bug|login|same|sofa)|step|topic|room'
   || '|stuff|a fix|it)\b|\bwork\s+on\s+(?:it|that)\b',
   'profile', 2, 1, 0.85, 'active',
   'I live in Lisbon.', 'We moved to the next topic.'),
  ('profile.kin', 'profile', 'en', 23,
   '^(?:my|our)\s+(?:new\s+|old\s+|elder\s+|younger\s+|best\s+)?(?:wife|husband|partner|son|daughter|kids?|child(?:ren)?'
   || '|toddler|baby|mother|father|mum|mom|dad|sister|brother|grand(?:ma|pa|mother|father)|parents|dogs?|cats?|horse|boss'
   || '|manager|team lead|landlord|dentist|doctor|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer'
   || '|therapist)(?:''s\s+(?:name|birthday))?\s+(?:is|are|was\s+born|has|have|works?|lives?|speaks?|plays?|hates?|loves?'
   || '|goes|can''t|doesn''t)\s+\S.*',
   '\b(?:just|now|today|tonight|tomorrow|yesterday|here|late|on the phone|calling|coming|waiting|right)\b',
   'profile', 2, 1, 0.85, 'active',
   'My daughter''s name is Ines.', 'My brother just called, one moment.'),
  ('profile.has', 'profile', 'en', 24,
   '^(?:i|we)(?:''ve|\s+have)\s+(?:got\s+)?(?:an?\s+)?(?:(?:two|three|four|five|\d+|small|six year old|peanut|nut|bad|new'
   || '|golden)\s+)*(?:(?:wife|husband|partner|son|daughter|kids?|child(?:ren)?|toddler|baby|mother|father|mum|mom|dad'
   || '|sister|brother|grand(?:ma|pa|mother|father)|parents|dogs?|cats?|horse|boss|manager|team lead|landlord|dentist|doctor'
   || '|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer|therapist)|twins?|allergy|asthma|adhd|diabetes'
   || '|celiac|migraines?|degree|phd|knee|back|retriever|greenhouse|garden)\b',
   '\b(?:question|problem|error|test|just|today)\b',
   'profile', 2, 1, 0.8, 'active',
   'I have two kids.', 'I have two questions.'),
  ('profile.diet', 'profile', 'en', 25,
   '^(?:i|we)\s+(?:do\s+not|don''?t|can''?t|cannot|never|only)\s+(?:eat|drink|drive|speak|smoke|fly'
   || '|work\s+on\s+\w+days?)\b',
   '\b(?:today|now|tonight|this)\b',
   'profile', 2, -1, 0.85, 'active',
   'I don''t eat pork.', 'I can''t eat now, I''m debugging.'),
  ('decision.decided', 'decision', 'en', 10,
   '^(?:(?:after|in|for)\s[^,]*,?\s+)?(?:so\s+)?(?:we|i|the\s+(?:team|board|client|customer|committee|company))(?:''ve'
   || '|\s+have|\s+has)?\s+(?:all\s+|also\s+|now\s+|finally\s+)?(?:decided|agreed|opted|voted|resolved|chosen|chose|settled'
   || '|standardi[sz]ed|consolidated|ruled\s+out|made\s+up\s+my\s+mind|signed\s+off|signed\s+with)\b\s*(?P<what>.*)',
   '\b(?:pizza|lunch|dinner|tonight|today|for now|to stop|to leave|a break|to talk|to meet|to skip|bus|almost|wrong)\b',
   'decision', 2, 1, 0.85, 'active',
   'We decided to use Postgres.', 'We decided to have pizza tonight.'),
  ('decision.switched', 'decision', 'en', 11,
   '^(?:we|i)(?:''ve|''re|\s+have|\s+are|\s+just)?\s+(?:now\s+|finally\s+|also\s+)?(?:(?:switch(?:ed|ing)|migrat(?:ed'
   || '|ing)|mov(?:ed|ing))\s+(?:(?:\w+\s+)*?from\s+\S+\s+to|off|over\s+to|everything)|replac(?:ed|ing)\s+\S.*\s(?:with|by)'
   || '|dropp(?:ed|ing)\s+(?:the\s+)?(?:support|python|node|php|ie|internet|android|ios)|deprecat(?:ed|ing)'
   || '|going\s+(?:all\s+in|with)|sticking\s+(?:with|to)|standardi[sz]ing\s+on|adopt(?:ed|ing)|retir(?:ed|ing)\s+the'
   || '|phas(?:ed|ing)\s+out|stopped\s+(?:using|supporting)|keeping\s+the)\s+(?P<what>\S.*)',
   '\b(?:first|second|this|that one|option two here|paragraphs|button|for now)\b',
   'decision', 2, 1, 0.85, 'active',
   'We moved from Jenkins to GitHub Actions.', 'We moved the button to the left.'),
  ('decision.will', 'decision', 'en', 12,
   '^(?:we\s+(?:will\s+not|won''?t|are\s+not\s+going\s+to|aren''?t\s+going\s+to)|we(?:''re|\s+are)\s+not\s+(?:going\s+to'
   || '|renewing|supporting|using|doing))\s+(?P<what>\S.*)',
   '\b(?:make it|finish|today|tonight|tomorrow|now|get there|this)\b',
   'decision', 2, -1, 0.75, 'active',
   'We won''t support Windows.', 'We won''t finish this today.'),
  ('decision.verdict', 'decision', 'en', 13,
   '^(?:(?:the\s+|final\s+|ok\s+)?(?:decision|verdict|conclusion|resolution|outcome\s+of\s+the\s+vote)(?:\s+(?:is|was'
   || '|made)\b,?|\s+(?:on|of)\s[^:]*:|\s*[,:])\s*\w|it(?:''s|\s+was|''s\s+been|\s+has\s+been)\s+(?:decided|settled'
   || '|official)\b|the\s+plan\s+is\s+to\s|let''s\s+go\s+with\s.*\b(?:final|decided|settled)\b)',
   null,
   'decision', 2, 1, 0.85, 'active',
   'Decision made, Tailwind it is.', 'The decision tree is too deep.'),
  ('decision.as_of', 'decision', 'en', 14,
   '^(?:as\s+of|starting(?:\s+(?:with|from|on))?|effective|from)\s+(?:today|monday|tuesday|wednesday|thursday|friday'
   || '|january|february|march|april|may|june|july|august|september|october|november|december|next\s+\w+|version\s+\S+'
   || '|v?\d[\d.]*)\b[^?]*\b(?:is|are|we|our|the)\b\s+\S.*',
   '\b(?:vacation|out of office|list|loop|index|row|line)\b',
   'decision', 2, 1, 0.75, 'active',
   'As of version 2.0 we require Node 20.', 'Starting from row 2 the list is empty.'),
  ('preference.for_good', 'preference', 'en', 90,
   '\b(?:from\s+(?:now|here)\s+on(?:wards?)?|going\s+forward|(?:in|for)\s+(?:the\s+|all\s+)?future(?:\s+\w+)?'
   || '|next\s+time)\b',
   '\b(?:movie|novel|story|plan the|in the near future|job|worried|next time (?:it|this|that))\b|\b(?:host|server'
   || '|is called|are called)\b',
   'preference', 2, 1, 0.85, 'active',
   'Next time show me the plan before you edit anything.', 'In the near future robots will cook.'),
  ('preference.emojis', 'preference', 'en', 14,
   '^(?:please\s+)?(?:no|less|fewer|without|skip(?:\s+the)?|drop\s+the|cut(?:\s+out)?(?:\s+the)?|avoid|stop\s+(?:using'
   || '|with|adding|writing|putting)(?:\s+the)?)\s+(?:more\s+)?(?:emojis?|smileys?|exclamation\s+marks?|disclaimers?'
   || '|small\s+talk|filler|jargon|summar(?:y|ies)|apolog(?:y|ies)|flattery|enthusiasm|preamble|introductions?|markdown'
   || '|bullet\s+points?|comments?|docstrings?|abbreviations?|semicolons?|co-authored-by\S*)\b.*',
   '\b(?:in this|here|for this)\b',
   'preference', 2, -1, 0.85, 'active',
   'No emojis please.', 'No comments in this file?'),
  ('preference.dont_emoji', 'preference', 'en', 14,
   '^(?:do\s+not|don''?t|dont|stop|quit|you\s+(?:don''?t\s+(?:have|need)\s+to|needn''?t|needn''t))\s+(?:always\s+|ever\s+'
   || '|keep\s+)?(?:use|using|add|adding|put|putting|write|writing|apologi[sz]e|apologi[sz]ing|thank|thanking|greet'
   || '|explain(?:ing)?\s+what|summari[sz](?:e|ing)|repeat(?:ing)?|ask\s+(?:me\s+)?(?:twice|for\s+permission)|guess(?:ing)?'
   || '|sugar-?\s?coat|dumb|reformat|agree\s+with\s+me)\b.*',
   '\b(?:here|this|that one|for now|yet|the (?:attached|first|second|other)|above|below|in (?:line|the (?:first|second'
   || '|example|header)))\b|\ba library\b',
   'preference', 2, -1, 0.8, 'active',
   'Stop apologising all the time.', 'Don''t use a library for this one.'),
  ('preference.hate_when', 'preference', 'en', 24,
   '^(?:i\s+(?:really\s+|just\s+)?(?:hate|dislike|can''?t\s+stand|don''?t\s+like)\s+it\s+when|it\s+(?:drives\s+me'
   || '|annoys\s+me|bothers\s+me|bugs\s+me)\b.*\bwhen|what\s+bugs\s+me\s+is\s+when)\s+(?P<what>\S.+)',
   null,
   'preference', 2, -1, 0.85, 'active',
   'It drives me crazy when you leave trailing whitespace.', 'It bugs me a lot.'),
  ('preference.want_answers', 'preference', 'en', 25,
   '^i(?:''d\s+like|\s+would\s+like|\s+want|\s+always\s+want|\s+expect)\s+(?:(?:always|all)\s+)?(?:your\s+|my\s+'
   || '|the\s+)?(?:answers?|replies|responses|commit\s+messages?|commits|explanations|summaries|(?:american|british|metric'
   || '|conventional)\b|you\s+to\s+(?:always|never|double|call|address|ask|tell|use|speak|answer|write|keep|be'
   || '|stop))\b\s*(?P<what>.*)',
   '\b(?:this|these|that one|here|now|today)\b',
   'preference', 2, 1, 0.85, 'active',
   'I want answers in German.', 'I want you to refactor this method.'),
  ('preference.call_me', 'preference', 'en', 26,
   '^(?:you\s+can\s+|just\s+)?(?:call|address)\s+me\s+(?P<what>\S.*)',
   '\b(?:later|back|tomorrow|today|a taxi|at \d|when|if|for this|in this|maybe)\b',
   'preference', 2, 1, 0.85, 'active',
   'Call me Sam.', 'Call me when it''s done.'),
  ('preference.ask_first', 'preference', 'en', 27,
   '^(?:(?:always|please)\s+)?(?:ask|check\s+with|tell|show|warn)\s+me\s+(?:[^,]*\s)?(?:first|before)\b.*'
   || '|^when(?:ever)?\s+you(?:''re|\s+are)?\s+(?:unsure|not\s+sure|in\s+doubt)\b.*',
   '\b(?:this|lunch|today|the (?:first|second) (?:line|row|item))\b',
   'preference', 2, 1, 0.8, 'active',
   'Ask me before you delete anything.', 'Tell me the first line.'),
  ('preference.answer_in', 'preference', 'en', 95,
   '^(?:(?:always|please)\s+)?(?:answer|reply|respond|speak|write|talk|explain)\b[^.]*\b(?:always|only in|in (?:german'
   || '|english|french|spanish|italian|portuguese|dutch|chinese|japanese|the language i))\b.*',
   '\b(?:this|him|her|them|mail|email|letter|essay|poem|story|sentence|word|ticket|customer|card|function|test|script'
   || '|regex|config)\b',
   'preference', 2, 1, 0.8, 'active',
   'Reply in German.', 'Reply to this mail in German.'),
  ('preference.keep_answers', 'preference', 'en', 29,
   '^(?:keep|make)\s+(?:your|all|the|every|my)\s+(?:answers?|replies|responses|explanations|commit\s+messages|functions'
   || '|lines|paragraphs|tone|language)\b\s*(?P<what>.*)',
   '\b(?:this|here|function (?:return|final))\b',
   'preference', 2, 1, 0.8, 'active',
   'Keep your replies short.', 'Keep the tone friendly in this message.'),
  ('preference.x_not_y', 'preference', 'en', 30,
   '^(?:use\s+)?(?P<what>tabs|spaces|single\s+quotes|double\s+quotes|metric|pathlib|pytest|yarn|pnpm|npm|snake_case'
   || '|camelcase|\w+),?\s+(?:not|over|instead\s+of|rather\s+than|never)\s+(?:tabs|spaces|double|single|imperial|os\.path'
   || '|unittest|npm|yarn|pnpm|camelcase|snake_case|bullet\w*|paragraphs)\b.*',
   '\b(?:here|this|not (?:this|that|here|now|yet))\b',
   'preference', 2, 1, 0.8, 'active',
   'Use tabs, not spaces.', 'Use the second one, not the first.'),
  ('preference.we_use_never', 'preference', 'en', 31,
   '^(?:in\s+this\s+\w+\s+|here\s+)?we\s+(?:only\s+|always\s+|exclusively\s+)?use\s+(?P<what>\S.*?)(?:,?\s+(?:never|not'
   || '|only|always|exclusively)\b.*|\s+(?:here|in\s+this\s+(?:repo|repository|project|codebase|monorepo))\b.*)$',
   '\b(?:variable|loop|function|import)\b',
   'convention', 3, 1, 0.85, 'active',
   'We use pnpm here, never npm.', 'We use the variable x here only once.'),
  ('preference.we_dont', 'preference', 'en', 32,
   '^(?:(?:in|at|on)\s+(?:this|our|the)\s+\w+\s+)?(?:we|nobody|no\s+one)\s+(?:never|only|always|(?:do\s+not'
   || '|don''?t)(?:\s+ever)?)\s+(?:accept|add|allow|buy|call|cache|commit|delete|deploy|discount|do|email|expose|give'
   || '|hardcode|hire|import|joke|log|merge|mix|mock|push(?:es)?|rebase|release|ship|squash|store|support|test|throw|touch'
   || '|use|write)\b\s*(?P<what>.*)',
   '\b(?:here|today|yet|this line|reach|get to|any more)\b',
   'convention', 3, -1, 0.75, 'active',
   'We don''t deploy on fridays.', 'We never get to the else branch.'),
  ('correction.no_longer', 'correction', 'en', 40,
   '^(?:that(?:''s|\s+is)\s+(?:outdated|not\s+true\s+any\s?more|stale|the\s+old)\b|(?:the|my|our|i|we'
   || '|[a-z]+)\b[^?]*\b(?:no\s+longer\b|(?:n''?t|not)\s[^,;?]*\b(?:any\s?more|any\s+longer)\b))',
   '\b(?:works?|compiles?|understand|need this|see the|care|load(?:s|ing)?|fails?|happens?|prefer)\b',
   'fact', 3, 1, 0.8, 'active',
   'We no longer use Jenkins.', 'It no longer compiles.'),
  ('correction.now', 'correction', 'en', 41,
   '^(?:the|my|our|we|i)\b[^?,]*\b(?:(?:is|are|''s|''re|am)\s+(?:now\s+(?:called|at|on|in|named|run|owned|\d)'
   || '|called\s+\S+\s+now)|was\s+renamed\s+to|(?:is|are)\s+\S+(?:\s+\S+)?\s+now(?:,\s+not\b.*)?$|(?:has|have)\s+(?:moved'
   || '|changed)|moved\s+to\s+\w+$|changed\s+from\b.*\bto\b|used\s+to\s+be)\b.*',
   '\b(?:green|red|working|broken|empty|fixed|done|fine|good|ready|gone|failing|slow|fast|faster|down|running|live|step'
   || '|next|here|better|topic|room|clear|blank|file|line|look|again|button)\b',
   'fact', 3, 1, 0.75, 'active',
   'The staging server is called stork now.', 'The build is green now.'),
  ('correction.mixing', 'correction', 'en', 42,
   '^(?:you(?:''re|\s+are)?\s+(?:mix(?:ed|ing)\s+(?:up|things\s+up)|misremember(?:ed)?|confus(?:ed|ing)|keep\s+calling'
   || '|got\s+that\s+wrong|have\s+my\s+name\s+wrong)|(?:sorry|scratch|forget|ignore)\b.*\b(?:i\s+meant|what\s+(?:i'
   || '|you)\s+(?:said|know)|not)\b|i\s+(?:mis-?spoke|was\s+wrong|got\s+it\s+wrong|made\s+a\s+mistake\s+earlier)'
   || '|make\s+that\s+\d)',
   '\b(?:surgery|try|this line)\b',
   'fact', 3, 1, 0.8, 'active',
   'You misremember, the cat is called Miso.', 'Ignore the second error for now.'),
  ('statement.called', 'statement', 'en', 50,
   '^(?:the|our|my|this)\s+(?:[\w''/-]+\s+)+?(?:is|are)\s+(?:called|named|hosted|deployed|written|maintained|owned|stored'
   || '|kept|built|located|headquartered|generated|signed|due|closed|open)\b\s+(?P<what>\S.*)',
   '\b(?:variable|function|method|button|when|twice|never|above|below|tutorial|below|again|here)\b',
   'fact', 1, 1, 0.7, 'active',
   'The staging server is called heron.', 'The method is called when the button is clicked.'),
  ('statement.runs_on', 'statement', 'en', 51,
   '^(?:(?:the|our|my|all)\s+)?(?:[\w''./-]+\s+)+?(?:listens?|runs?|lives?|sits|starts?|begins?|opens|closes|expires?'
   || '|points|belongs?|goes|go)\s+(?:on|in|at|to|until|through|after|under)\s+(?P<what>\S.*)',
   '\b(?:i|you|he|she|they|it|this|that|seeing|netflix|loop|script|function|test|line|page|nothing|let''s|user|error'
   || '|where|which|when|if|my machine|forever|ages|circles)\b',
   'fact', 1, 1, 0.7, 'active',
   'The api listens on port 8080.', 'The loop runs on line 3 forever.'),
  ('statement.owns', 'statement', 'en', 52,
   '^[a-z][\w-]+\s+(?:owns|maintains|looks\s+after|takes\s+care\s+of|is\s+(?:responsible|in\s+charge'
   || '|on\s+call)\b(?:\s+(?:for|of))?|handles|manages|leads)\s+(?P<what>\S.*)',
   '^(?:it|this|that|he|she|who|which|nobody|everyone|react|git|someone|redis|docker|kubernetes|python)\b',
   'fact', 1, 1, 0.75, 'active',
   'Marta owns billing.', 'It handles null badly.'),
  ('statement.we_use', 'statement', 'en', 53,
   '^we\s+(?:use|run|host|build\s+with|deploy\s+(?:with|on|to|via)|bill|ship|sell|keep|meet|have)\s+(?P<what>\S.*\s(?:for'
   || '|as|in|on|every|about|with|in\s+prod)\b.*|[\w.-]+(?:\s[\d.]+)?)$',
   '\b(?:variable|loop|here|now|today|this|that|i|problem|error|errors|bug|failing|time|fun|demo|test|tests|it)\b',
   'fact', 1, 1, 0.7, 'active',
   'We use celery for background jobs.', 'We have a problem with the login.'),
  ('profile.who_de', 'profile', 'de', 40,
   '^(?:ich\s+heisse|mein(?:\s+\w+)?\s+name\s+ist|nenn(?:t)?\s+mich|ich\s+bin\s+(?:ein[e]?\s+)?(?:\w+\s+)?\w*(?:er|erin'
   || '|in|ist|eur|arzt|arztin|frau|mann|studentin?|allergisch|vegetarisch|vegan|farbenblind|blind|taub'
   || '|schwanger)\b(?:\s.*)?$|(?:ich|wir)\s+(?:wohnen?|lebe|leben|arbeite\s+(?:als|bei|in|im)|komme\s+(?:aus|ursprunglich)'
   || '|sitze\s+im\s+rollstuhl|esse\s+kein|trinke\s+kein|spreche\s+\w)|(?:ich\s+habe|wir\s+haben)\s+(?:\w+\s+)?(?:kinder'
   || '|kind|hund|katze|allergie|asthma|diabetes)|mein[e]?\s+(?:frau|mann|tochter|sohn|hund|katze|schwester|bruder|mutter'
   || '|vater|chef(?:in)?|geburtstag)\s+(?:heisst|ist|arbeitet|wohnt|hat|isst)\b)',
   '\b(?:gerade|heute|mude|fertig|sicher|unterwegs|hier|dabei|hinter|immer|weiter|wieder|unsicher|wurde|ware'
   || '|einer meinung|experte|pirat|ritter)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ich wohne in Leipzig.', 'Ich bin mir nicht sicher.'),
  ('preference.wish_de', 'preference', 'de', 50,
   '^(?:(?:antwort|schreib|sprich|frag|zeig|benutz|nutz|verwend|lass|lauf|mach|halt|gib|sag|formatier|nenn|du'
   || '|sie)\w*\b[^,]*\b(?:immer|stets|nie|niemals|grundsatzlich)\b|(?:ab\s+(?:jetzt|sofort)|in\s+zukunft|kunftig|zukunftig'
   || '|nachstes\s+mal|von\s+nun\s+an)\b|(?:keine?|nie\s+wieder)\s+(?:emojis?|smileys|entschuldigungen|zusammenfassungen'
   || '|kommentare|floskeln)\b|(?:benutz|verwend|nutz)\w*\s+(?:bitte\s+)?kein|hor\s+auf\b|ich\s+(?:mag|hasse|bevorzuge'
   || '|hatte\s+gern|mochte|will)\b[^,]*(?:,\s+wenn\s+du|\bantworten\b|\bimmer\b|\bnie\b)|ich\s+(?:bevorzuge'
   || '|hab(?:e)?\s+lieber)\b|es\s+nervt\s+mich|lieber\s+\w+\s+als|(?:bitte\s+)?duze?\s+mich|frag\s+(?:mich,?\s+bevor|lieber'
   || '|vorher)|fass\s+(?:dich\s+kurz|nie)|(?:merk\s+dir|denk\s+(?:dran|daran)),?\s+dass)|\b(?:in\s+zukunft|ab\s+jetzt'
   || '|ab\s+sofort|nachstes\s+mal)\b',
   '\b(?:diesmal|heute|furs erste|in dieser|diese version|dieses mal|spalte|logs sehen|nur fur|das nicht)\b',
   'preference', 2, 1, 0.8, 'active',
   'Hör auf, dich ständig zu entschuldigen.', 'Ich möchte eine neue Spalte hinzufügen.'),
  ('decision.made_de', 'decision', 'de', 40,
   '^(?:(?:wir|ich)\s+(?:haben?|hat)\s+(?:uns\s+)?(?:\S+\s+)*?(?:entschieden|beschlossen|geeinigt|ersetzt|abgeschafft'
   || '|gewahlt|vereinbart)|wir\s+sind\s+(?:von\s+)?(?:\S+\s+){0,5}(?:umgestiegen|gewechselt)|wir\s+(?:bleiben\s+bei'
   || '|nehmen\s+.*(?:fest|endgultig)|wechseln\s+(?:zu|auf)|stellen\s+.*\bein$|setzen\s+auf)|das\s+team\s+hat\s+sich'
   || '|der\s+\w+\s+wurde\s+auf\b.*verschoben|ab\s+(?:montag|dienstag|mittwoch|donnerstag|freitag|januar|februar|marz|april'
   || '|mai|juni|juli|august|september|oktober|november|dezember)\s+(?:ist|sind|gilt))',
   '\b(?:pizza|heute|jetzt|mittag|pause)\b',
   'decision', 2, 1, 0.8, 'active',
   'Wir haben uns für Postgres entschieden.', 'Wir haben beschlossen, jetzt Pizza zu essen.'),
  ('correction.changed_de', 'correction', 'de', 50,
   '^(?:(?:ich\s+meinte|korrektur|das\s+ist\s+falsch,|stimmt\s+nicht,|nicht\s+\w+,?\s+sondern|du\s+verwechselst'
   || '|du\s+irrst)\b|(?:der|die|das|unser\w*|mein\w*)\s[^,]*\b(?:heisst|lauft|ist|liegt)\s+jetzt\s)|\bnicht\s+mehr\b'
   || '|\bsondern\s+\w',
   '\b(?:funktioniert|geht|weiter|verstehe|nur|brauche|will|kann|kaputt|grun|rot|fertig)\b',
   'fact', 3, 1, 0.75, 'active',
   'Wir benutzen Jenkins nicht mehr.', 'Es funktioniert nicht mehr.'),
  ('profile.who_es', 'profile', 'es', 40,
   '^(?:me\s+llamo|mi\s+nombre\s+es|soy\s+(?:un[a]?\s+)?(?:\w+\s+)?\w+(?:or|ora|ero|era|ista|ico|ica|ante|ente|ano|ana'
   || '|ogo|oga|ado|ada|iz|atra)\b(?:\s.*)?$|soy\s+(?:alergic|vegetarian|vegan|daltonic|celiac|diabetic|sord|de\s+\w)'
   || '|(?:vivo|vivimos)\s+(?:en|con|sol)|trabajo\s+(?:de|en|como|para)\s|(?:no\s+como|no\s+bebo)\s'
   || '|tengo\s+(?:\w+\s+)?(?:hij|perr|gat|alergi|asma|diabetes)|mi\s+(?:mujer|marido|esposa|hij[ao]|perr[ao]|gat[ao]'
   || '|herman[ao]|madre|padre|jef[ae]|cumpleanos)\s+(?:se\s+llama|es|trabaja|vive|tiene)\b|(?:hablo|uso)\s+\w'
   || '|voy\s+en\s+silla)',
   '\b(?:ahora|hoy|aqui|listo|seguro|un experto|caballero|de nuevo|este|esta|esto)\b',
   'profile', 2, 1, 0.8, 'active',
   'Me llamo Ada.', 'Soy un experto en este juego.'),
  ('preference.wish_es', 'preference', 'es', 50,
   '^(?:(?:respond|contest|habl|escrib|pregunt|ensen|muestra|us|utiliz|pas|explic|haz|pon)\w*\b[^,]*\b(?:siempre|nunca)\b'
   || '|(?:siempre|nunca)\s+(?:respond|contest|us|pregunt|toques|pon|hagas|escrib|pas)|(?:a\s+partir\s+de\s+ahora'
   || '|de\s+ahora\s+en\s+adelante|en\s+(?:el\s+)?futuro|la\s+proxima\s+vez|desde\s+ahora)\b|sin\s+(?:emojis?|resumenes'
   || '|comentarios|disculpas)|no\s+(?:uses|utilices|pongas|anadas)\s+(?:emojis?|comentarios|\w+$)|deja\s+de\s'
   || '|no\s+me\s+gusta\s+que\s|prefiero\s+|(?:odio|detesto)\s+(?:que|los|las)\s|me\s+(?:molesta|gusta)\s+(?:que|ver)\s'
   || '|llamame\s|tuteame|preguntame\s+(?:antes|primero)|recuerda\s+que\s|quiero\s+que\s+(?:siempre|nunca|los|las|me))'
   || '|\ba\s+partir\s+de\s+ahora$',
   '\b(?:esta vez|este correo|este archivo|la primera|el primero|la segunda|esta version|refactorices|hoy|por ahora)\b'
   || '|partir de ahora .*(?:servidor|host)',
   'preference', 2, 1, 0.8, 'active',
   'Respóndeme siempre en español.', 'Prefiero la primera.'),
  ('decision.made_es', 'decision', 'es', 40,
   '^(?:(?:hemos|he)\s+(?:decidido|acordado|elegido|cambiado|sustituido|reemplazado|migrado|pasado\s+de|optado)'
   || '|(?:decidimos|acordamos|elegimos|optamos|migramos|pasamos\s+de|cambiamos|dejamos\s+de|nos\s+quedamos\s+con)\b'
   || '|el\s+equipo\s+(?:eligio|decidio|acordo)|vamos\s+(?:con\s.*decidid|a\s+usar\s)|el\s+\w+\s+se\s+aplazo'
   || '|a\s+partir\s+del?\s+\w+\s+(?:la|el|los|las)\s)',
   '\b(?:pizza|hoy|ahora|comer|descanso|este)\b',
   'decision', 2, 1, 0.8, 'active',
   'Hemos decidido usar Postgres.', 'Hemos decidido comer pizza hoy.'),
  ('correction.changed_es', 'correction', 'es', 50,
   '^(?:ya\s+no\s+\w|me\s+referia\s|correccion\s*:|eso\s+esta\s+mal,|te\s+equivocas,?\s+|no\s+es\s+\w+,\s+(?:es|sino)\s'
   || '|(?:la|el|los|las|mi|nuestr\w+)\s[^,]*\bahora\s+(?:es|se\s+llama|escucha|esta)\s)|\bya\s+no\s+(?:esta|es|se|vivo|usa)',
   '\b(?:funciona|falla|entiendo|necesito|rojo|verde|roto|puedo|hace falta)\b',
   'fact', 3, 1, 0.75, 'active',
   'Ya no usamos Jenkins.', 'Ya no funciona.'),
  ('profile.who_fr', 'profile', 'fr', 40,
   '^(?:je\s+m''appelle|mon\s+nom\s+est|je\s+suis\s+(?:une?\s+)?(?:\w+\s+)?\w+(?:eur|euse|ier|iere|iste|ien|ienne|ant'
   || '|ante|ecin|ogue|ecte|aire|ique|marie|mariee)\b(?:\s.*)?$|je\s+suis\s+(?:allergique|vegetarien|vegan|daltonien|sourd'
   || '|en\s+fauteuil)|(?:j''habite|nous\s+habitons|je\s+vis|je\s+viens\s+(?:du|des)\b|je\s+travaille\s+(?:comme|dans|chez'
   || '|pour)|je\s+ne\s+(?:mange|bois)\s+pas|j''utilise\s+\w+$|j''apprends\s|je\s+parle\s)|j''ai\s+(?:\w+\s+)?(?:enfants?'
   || '|chiens?|chats?|ans\b|une\s+allergie|asthme)|m(?:on|a)\s+(?:femme|mari|fille|fils|chien|chat|soeur|frere|mere|pere'
   || '|cheffe?|anniversaire)\s+(?:s''appelle|est|travaille|habite|a)\b)',
   '\b(?:maintenant|ici|fatigue|en train|sur que|pret|content|bloque|chevalier|expert|un probleme|en reunion)\b',
   'profile', 2, 1, 0.8, 'active',
   'Je m''appelle Ada.', 'Je suis en réunion.'),
  ('preference.wish_fr', 'preference', 'fr', 50,
   '^(?:(?:repond|ecri|parl|demand|montr|utilis|lanc|expliqu|mets|fais)\w*(?:-moi)?\b[^,]*\b(?:toujours|jamais)\b'
   || '|ne\s+\w+\s+jamais\b|(?:a\s+partir\s+de\s+maintenant|desormais|dorenavant|a\s+l''avenir|la\s+prochaine\s+fois)\b'
   || '|pas\s+d(?:e\s+|'')(?:emojis?|resumes?|commentaires?|excuses)|n''utilise[sz]?\s+pas\s+d|arrete[sz]?\s+de\s'
   || '|je\s+(?:n''aime\s+pas\s+quand|deteste\s+(?:quand|les)|prefere\s+|veux\s+(?:des|les|que\s+tu)\s)|ca\s+m''(?:enerve'
   || '|agace)\s+quand|j''aime\s+(?:voir|quand)|appelle-moi\s|demande-moi\s+avant|souviens-toi\s+que'
   || '|propose-moi\s+uniquement)',
   '\b(?:cette fois|ce mail|ce fichier|la premiere|le premier|la deuxieme|cette version|refactorises|aujourd''hui'
   || '|pour l''instant)\b|maintenant .*serveur',
   'preference', 2, 1, 0.8, 'active',
   'Réponds-moi toujours en français.', 'Je préfère la première.'),
  ('decision.made_fr', 'decision', 'fr', 40,
   '^(?:(?:nous\s+avons|on\s+a|j''ai)\s+(?:decide|choisi|remplace|migre|retenu|adopte|opte|convenu)|(?:on\s+est'
   || '|nous\s+sommes)\s+passes?\s+de|on\s+(?:reste\s+sur|part\s+sur|abandonne|va\s+utiliser|s''est\s+mis\s+d''accord)'
   || '|nous\s+(?:restons|abandonnons|allons\s+utiliser)|l''equipe\s+a\s+(?:choisi|decide)|le\s+\w+\s+est\s+(?:repousse'
   || '|reporte)|a\s+partir\s+(?:de|du)\s+\w+\s+(?:le|la|les)\s)',
   '\b(?:pizza|ce soir|aujourd''hui|pause|manger)\b',
   'decision', 2, 1, 0.8, 'active',
   'Nous avons décidé d''utiliser Postgres.', 'On a décidé de manger une pizza ce soir.'),
  ('correction.changed_fr', 'correction', 'fr', 50,
   '^(?:(?:on|nous|je)\s+n[e'']\s?\w+\s+plus\s|je\s+voulais\s+dire\s|correction\s*:|c''est\s+faux,|tu\s+te\s+trompes,?\s'
   || '|ce\s+n''est\s+pas\s+\w+,\s+c''est\s|(?:la|le|les|l''|mon|ma|notre)\s?[^,]*\b(?:s''appelle|ecoute'
   || '|est)\s+(?:maintenant|desormais)\s)|\bn''est\s+plus\s',
   '\b(?:marche|comprends|sais|besoin|rouge|vert|casse|rien)\b',
   'fact', 3, 1, 0.75, 'active',
   'On n''utilise plus Jenkins.', 'Je ne sais plus quoi faire.'),
  ('profile.who_pt', 'profile', 'pt', 40,
   '^(?:(?:eu\s+)?me\s+chamo|chamo-me|(?:o\s+)?meu\s+nome\s+e|(?:eu\s+)?sou\s+(?:um[a]?\s+)?(?:\w+\s+)?\w+(?:or|ora|eiro'
   || '|eira|ista|ico|ica|ante|ente|ano|ana|ogo|oga|ado|ada)\b(?:\s.*)?$|sou\s+(?:alergic|vegetarian|vegan|daltonic'
   || '|d[oae]\s+\w)|(?:moro|vivo|moramos|vivemos)\s+(?:em|no|na|com)|trabalho\s+(?:como|na|no|em|para)\s|nao\s+(?:como'
   || '|bebo)\s|tenho\s+(?:\w+\s+)?(?:filh|cachorr|gat|alergia|asma)|(?:o\s+|a\s+)?m(?:eu|inha)\s+(?:mulher|marido|esposa'
   || '|filh[ao]|cachorr[ao]|gat[ao]|irma|irmao|mae|pai|chefe|aniversario)\s+(?:se\s+chama|e|trabalha|mora|tem)\b'
   || '|(?:eu\s+)?uso\s+(?:cadeira|\w+$)|falo\s+\w)',
   '\b(?:agora|hoje|aqui|pronto|certeza|especialista|cavaleiro|este|esse|isso)\b',
   'profile', 2, 1, 0.8, 'active',
   'Meu nome é Ada.', 'Sou um especialista neste jogo.'),
  ('preference.wish_pt', 'preference', 'pt', 50,
   '^(?:(?:respond|fal|escrev|pergunt|mostr|us|rod|expliqu)\w*(?:-me)?\b[^,]*\b(?:sempre|nunca)\b|(?:sempre'
   || '|nunca)\s+(?:respond|us|pergunt|mex|rod|mostr|escrev)|(?:a\s+partir\s+de\s+agora|daqui\s+(?:pra'
   || '|para)\s+(?:a\s+)?frente|de\s+agora\s+em\s+diante|no\s+futuro|da\s+proxima\s+vez)\b|sem\s+(?:emojis?|resumos'
   || '|comentarios)|nao\s+(?:use|usa|coloque)\s+(?:emojis?|comentarios|\w+$)|par[ae]\s+de\s|nao\s+gosto\s+quando|prefiro\s'
   || '|(?:odeio|detesto)\s+(?:quando|resumos|que)|me\s+irrita\s+quando|gosto\s+de\s+ver|me\s+chama\s+de|pergunta?\s+antes'
   || '|lembr[ae]\s+que|quero\s+(?:os|as|que\s+voce\s+sempre)\s)',
   '\b(?:dessa vez|desta vez|neste email|neste arquivo|a primeira|o primeiro|a segunda|essa versao|hoje|por enquanto)\b'
   || '|agora .*servidor',
   'preference', 2, 1, 0.8, 'active',
   'Responde-me sempre em português.', 'Prefiro a primeira.'),
  ('decision.made_pt', 'decision', 'pt', 40,
   '^(?:(?:a\s+gente\s+)?(?:decidimos|decidiu|escolhemos|combinamos|optamos|migramos|mudamos\s+de|trocamos|substituimos'
   || '|deixamos\s+de|ficamos\s+com)\b|o\s+time\s+(?:escolheu|decidiu)|vamos\s+(?:com\s.*decidid|usar\s)'
   || '|o\s+\w+\s+foi\s+adiado|a\s+partir\s+de\s+\w+\s+(?:a|o|as|os)\s)',
   '\b(?:pizza|hoje|agora|comer|pausa)\b',
   'decision', 2, 1, 0.8, 'active',
   'Decidimos não usar Kafka.', 'Decidimos comer pizza hoje.'),
  ('correction.changed_pt', 'correction', 'pt', 50,
   '^(?:nao\s+\w+\s+mais\s|eu\s+quis\s+dizer\s|correcao\s*:|(?:isso\s+)?esta\s+errado,|voce\s+se\s+enganou,?\s'
   || '|nao\s+e\s+\w+,\s+e\s|(?:a|o|as|os|meu|minha|nosso)\s[^,]*\bagora\s+(?:e|se\s+chama|escuta|fica)\s)|\bnao\s+(?:fica'
   || '|mora|usa|e|esta)\s+mais\s',
   '\b(?:funciona|entendo|preciso|vermelho|verde|quebrado|sei)\b',
   'fact', 3, 1, 0.75, 'active',
   'Não usamos mais Jenkins.', 'Não funciona mais nada.'),
  ('profile.who_it', 'profile', 'it', 40,
   '^(?:mi\s+chiamo|il\s+mio\s+nome\s+e|sono\s+(?:un[ao'']?\s*)?(?:\w+\s+)?\w+(?:ore|rice|iere|iera|ista|ico|ica|ante'
   || '|ente|ano|ana|ogo|oga|ato|ata|essa)\b(?:\s.*)?$|sono\s+(?:allergic|vegetarian|vegan|daltonic|in\s+sedia)|(?:abito'
   || '|vivo|abitiamo|viviamo)\s+(?:a|in|con)\s|lavoro\s+(?:come|nel|in|per)\s|non\s+(?:mangio|bevo)\s'
   || '|ho\s+(?:\w+\s+)?(?:figli[oae]?|un\s+cane|gatt|allergi|asma)|(?:la\s+|il\s+)?mi[ao]\s+(?:moglie|marito|figli[ao]|cane'
   || '|gatto|sorella|fratello|madre|padre|cap[ao]|compleanno)\s+(?:si\s+chiama|e|lavora|abita|ha)\b|vengo\s+d|parlo\s+\w'
   || '|uso\s+\w+$|sto\s+imparando)',
   '\b(?:ora|oggi|qui|pronto|sicuro|esperto|cavaliere|bloccato|stanco|andato|appena|in riunione|questo)\b',
   'profile', 2, 1, 0.8, 'active',
   'Mi chiamo Ada.', 'Sono stanco.'),
  ('preference.wish_it', 'preference', 'it', 50,
   '^(?:(?:rispond|scriv|parl|chied|mostr|usa|lancia|spieg)\w*\b[^,]*\b(?:sempre|mai)\b|(?:sempre|mai)\s+\w'
   || '|non\s+\w+\s+mai\b|(?:d''ora\s+in\s+poi|da\s+ora\s+in\s+(?:poi|avanti)|in\s+futuro|la\s+prossima\s+volta'
   || '|da\s+adesso)\b|niente\s+(?:emoji|riassunti|commenti)|non\s+usare\s+(?:emoji|commenti|\w+$)|smettila\s+di|smetti\s+di'
   || '|non\s+mi\s+piace\s+quando|preferisco\s|(?:odio|detesto)\s+(?:quando|i\s|le\s|gli\s)|mi\s+da\s+fastidio\s+quando'
   || '|mi\s+piace\s+(?:vedere|quando)|chiamami\s|chiedimi\s+prima|ricordati\s+che|voglio\s+(?:i|le|che\s+tu)\s'
   || '|proponimi\s+solo)',
   '\b(?:questa volta|questa mail|questo file|la prima|il primo|la seconda|questa versione|oggi|per ora|i log|funziona)\b'
   || '|poi .*server',
   'preference', 2, 1, 0.8, 'active',
   'Rispondimi sempre in italiano.', 'Preferisco la prima.'),
  ('decision.made_it', 'decision', 'it', 40,
   '^(?:abbiamo\s+(?:deciso|scelto|sostituito|concordato|migrato|optato|adottato)|siamo\s+passati\s+d|restiamo\s+su'
   || '|andiamo\s+con\s.*decis|useremo\s|non\s+supportiamo\s+piu|il\s+team\s+ha\s+(?:scelto|deciso)'
   || '|il\s+\w+\s+e\s+stato\s+(?:rinviato|spostato)|da\s+(?:lunedi|martedi|mercoledi|giovedi|venerdi)\s+(?:lo|la|il|i|le)\s'
   || '|ho\s+deciso\s)',
   '\b(?:pizza|stasera|oggi|pausa|mangiare)\b',
   'decision', 2, 1, 0.8, 'active',
   'Abbiamo deciso di usare Postgres.', 'Abbiamo deciso di mangiare una pizza stasera.'),
  ('correction.changed_it', 'correction', 'it', 50,
   '^(?:non\s+\w+\s+piu\s|intendevo\s|correzione\s*:|e\s+sbagliato,|ti\s+sbagli,?\s|non\s+e\s+\w+,\s+e\s|(?:la|il|lo|l'''
   || '|i|le|mi[ao]|nostr\w)\s?[^,]*\b(?:ora|adesso)\s+(?:e|si\s+chiama|ascolta)\s)|\bnon\s+e\s+piu\s',
   '\b(?:funziona|capisco|rosso|verde|rotto|so|serve)\b',
   'fact', 3, 1, 0.75, 'active',
   'Non usiamo più Jenkins.', 'Non funziona più niente.'),
  ('profile.who_nl', 'profile', 'nl', 40,
   '^(?:ik\s+heet|mijn\s+naam\s+is|ik\s+ben\s+(?:een\s+)?(?:\w+\s+)?\w+(?:er|eur|ist|kundige|aar|ent|arts|veganist'
   || '|vegetarier|allergisch|kleurenblind|doof)\b(?:\s.*)?$|(?:ik|we|wij)\s+(?:woon|wonen)\s|ik\s+(?:werk\s+(?:als|in|bij'
   || '|niet\s+op)|kom\s+(?:uit|oorspronkelijk)|eet\s+geen|drink\s+geen|spreek\s|leer\s+\w+$|zit\s+in\s+een\s+rolstoel'
   || '|gebruik\s+\w+$)|ik\s+heb\s+(?:\w+\s+)?(?:kinderen|hond|kat|allergie|astma)|mijn\s+(?:vrouw|man|dochter|zoon|hond|kat'
   || '|zus|broer|moeder|vader|baas|verjaardag)\s+(?:heet|is|werkt|woont|heeft)\b)',
   '\b(?:nu|hier|moe|klaar|zeker|bezig|ridder|expert|vergadering|vast|eerder|verder|weer)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ik woon in Gent.', 'Ik ben nu klaar.'),
  ('preference.wish_nl', 'preference', 'nl', 50,
   '^(?:(?:antwoord|schrijf|spreek|vraag|laat|gebruik|draai|leg|hou)\w*\b[^,]*\b(?:altijd|nooit)\b|(?:altijd|nooit)\s+\w'
   || '|kom\s+nooit|(?:vanaf\s+nu|voortaan|in\s+de\s+toekomst|de\s+volgende\s+keer)\b|geen\s+(?:emoji|samenvattingen'
   || '|commentaar|excuses)|gebruik\s+geen\s|(?:hou\s+op|stop)\s+met\s|ik\s+(?:vind\s+het\s+niet\s+fijn|heb\s+liever'
   || '|haat\s+(?:het|samen)|erger\s+me|zie\s+graag|wil\s+(?:commits|dat\s+je))\b|noem\s+me\s|vraag\s+het\s+me\s+voordat'
   || '|je\s+hoeft\s+(?:me\s+)?niet\s|onthoud\s+dat|stel\s+alleen)',
   '\b(?:deze keer|deze mail|dit bestand|de eerste|de tweede|deze versie|vandaag|voor nu|te onthouden)\b|nu .*server',
   'preference', 2, 1, 0.8, 'active',
   'Antwoord me altijd in het Nederlands.', 'Gebruik deze keer altijd tabs.'),
  ('decision.made_nl', 'decision', 'nl', 40,
   '^(?:(?:we|wij|ik)\s+heb(?:ben)?\s+(?:besloten|gekozen|\w+\s+vervangen|\w+\s+releases\s+afgesproken|afgesproken)|(?:we'
   || '|wij)\s+(?:zijn\s+overgestapt|blijven\s+bij|gaan\s+voor|stoppen\s+met|gaan\s+\w+\s+gebruiken)|het\s+team\s+(?:koos'
   || '|heeft)|de\s+\w+\s+is\s+(?:uitgesteld|verplaatst)|vanaf\s+(?:maandag|dinsdag|woensdag|donderdag|vrijdag)\s)',
   '\b(?:pizza|vanavond|vandaag|pauze|eten)\b',
   'decision', 2, 1, 0.8, 'active',
   'We hebben besloten om Postgres te gebruiken.', 'We hebben besloten om vanavond pizza te eten.'),
  ('correction.changed_nl', 'correction', 'nl', 50,
   '^(?:ik\s+bedoelde\s|correctie\s*:|dat\s+klopt\s+niet,|je\s+vergist\s+je,?\s|het\s+is\s+niet\s+\w+,?\s+maar\s|(?:de'
   || '|het|onze|mijn)\s[^,]*\b(?:heet|luistert|is)\s+nu\s)|\bniet\s+meer\b',
   '\b(?:werkt|snap|weet|nodig|rood|groen|stuk|klaar)\b',
   'fact', 3, 1, 0.75, 'active',
   'We gebruiken Jenkins niet meer.', 'Het werkt niet meer.'),
  ('profile.who_zh', 'profile', 'zh', 40,
   '^(?:我叫.+|我的名字是.+|我(?:们)?住在?.+|我是(?:一[名个家])?.*(?:护士|老师|教师|医生|工程师|程序员|开发|律师|学生|设计师|会计|厨师|记者|经理|司机|翻译|色盲|素食)|我(?:对.+过敏'
   || '|不吃.+|吃素.*|来自.+|老家在.+|会说.+|在.+工作|有.+(?:孩子|儿子|女儿).*|用[\w ]+|坐轮椅.*|周[一二三四五六日]不上班)|我的?(?:女儿|儿子|丈夫|妻子|老婆|老公|狗|猫|老板|生日|姐姐'
   || '|妹妹|哥哥|弟弟)(?:叫|是|上|在|住).+)',
   '骑士|海盗|专家|什么|现在|今天|暂时|试|开会|住不|第一',
   'profile', 2, 1, 0.8, 'active',
   '我住在成都。', '我住不惯，今天换酒店。'),
  ('preference.wish_zh', 'preference', 'zh', 50,
   '^(?:请?(?:一直|始终|总是|永远)|(?:不要|别)(?:用|老是|再|使用)(?:表情|emoji|道歉|总结|分号|注释)|(?:我)?(?:更喜欢|讨厌|不喜欢你|偏好|习惯)|我喜欢(?:简短|先|用)|叫我.+'
   || '|记住我|只推荐)|(?:以后|今后|从现在起|下次|从今以后)|(?:之前|前)(?:总是)?先(?:问我|给我看)',
   '这个版本|第一个|这次|暂时|今天|服务器叫',
   'preference', 2, 1, 0.8, 'active',
   '请一直用中文回答我。', '我更喜欢第一个。'),
  ('constraint.must_zh', 'constraint', 'zh', 40,
   '^.*(?:必须|禁止|不允许|不得|绝不能|不准|一律|不能直接).+',
   '这个函数|改一下|文档说|手册|要求我们|今天|交付|我们今天|肯定|吗$',
   'policy', 3, 1, 0.75, 'active',
   '所有提交都必须签名。', '我们今天必须交付。'),
  ('decision.made_zh', 'decision', 'zh', 40,
   '^(?:我们(?:最后)?(?:决定|商定|选了|不再支持|还是继续用|把.+换成了?|从.+(?:换到|迁移到|换成)).+|团队(?:选了|决定).+|就用.+(?:定了|吧定)|.+(?:推迟到|改到).+'
   || '|从周[一二三四五六日]开始.+|.+已经定了)',
   '披萨|今晚|现在吃|休息',
   'decision', 2, 1, 0.8, 'active',
   '我们决定用Postgres。', '我们决定今晚吃披萨。'),
  ('correction.changed_zh', 'correction', 'zh', 50,
   '^(?:不对[，,].+|错了[，,].+|更正[：:].+|其实(?:服务器|端口|我|它|名字|公司|会议|办公室).+|我说的是.+|不是.+[，,]是.+|你(?:记错|弄错|搞混)了?[，,].+|我不住.+现在'
   || '|.+现在(?:叫|由|监听|是|在).+)|已经不(?:用|在|住).+|不在.+搬到.+',
   '无所谓|再试|可以了|就行|挂了|看',
   'fact', 3, 1, 0.75, 'active',
   '不对，端口是8081。', '不对，再试一次。'),
  ('statement.is_zh', 'statement', 'zh', 50,
   '^(?:.+(?:服务器|数据库|项目|集群|主机)叫.+|[^我你他]+负责\w+|.+监听\d+端口|.+在(?:wiki|[一二三四五六七八九十]楼|人民路)|我们用\w+(?:部署|做|写)|.+是用\w+写的|.+从.月开始)',
   '吗|什么|谁|哪',
   'fact', 1, 1, 0.7, 'active',
   '测试服务器叫苍鹭。', '服务器叫什么？'),
  ('profile.who_ja', 'profile', 'ja', 40,
   '^(?:(?:私|僕|俺)(?:の名前)?は.+(?:です|をしています|といいます)|.+といいます$|[^、]*(?:看護師|教師|医師|エンジニア|学生|弁護士|プログラマ|デザイナー)です$|.+に住んで(?:います|いる)'
   || '|.+(?:の仕事をして|で働いて|の開発をして|を勉強して)います|.+アレルギーが(?:あります|ある)|.+は食べ(?:ません|ない)$|(?:娘|息子|夫|妻|犬|猫|姉|兄|弟|妹|母|父|上司)(?:の名前)?は.+'
   || '|子供が.+います|誕生日は.+|出身は.+|車椅子を使って.+|.+を使っています$)',
   '騎士|海賊|専門家|何|どこ|誰|今|今日|たら|ゲーム|と言って|いないし|もう',
   'profile', 2, 1, 0.8, 'active',
   '大阪に住んでいます。', '今は京都に住んでいます。'),
  ('preference.wish_ja', 'preference', 'ja', 50,
   '^(?:いつも.+(?:して|答えて|ください|書いて)|(?:これから|今後|次回|以後).+|.+(?:の方が好き|回答が好きです)$|.+(?:前に)(?:必ず|先に).+(?:聞いて|見せて)|.+には絶対に触らないで'
   || '|.+って呼んで$|.+だけ提案して$|基本的に.+|.+して(?:から|)報告してほしい|.+で書いてほしい)|(?:絵文字|セミコロン|敬語|まとめ)は?(?:使わ|なし|いら|嫌い)|(?:謝らないで|謝られるのは)'
   || '|と?覚えておいて',
   '今回|このメール|このファイル|今日|バグ|最初の方|さっき',
   'preference', 2, 1, 0.8, 'active',
   'いつも日本語で答えてください。', '最初の方が好き。'),
  ('constraint.must_ja', 'constraint', 'ja', 40,
   '^.*(?:必要です|必ず.+(?:必要|すること|する|始める|記載する|つける)|てはいけない|てはならない|のは禁止|禁止$|なければならない|しか使わない|こと$).*',
   '明日まで|この関数|直して|今日中|スクリプトが|と書いて|によると|ことにした|ことに',
   'policy', 3, 1, 0.75, 'active',
   'すべてのコミットには署名が必要です。', '明日までにスクリプトが必要です。'),
  ('decision.made_ja', 'decision', 'ja', 40,
   '^.+(?:ことに(?:決めました|決めた|しました|した)|に決定|に決まりました|に移行しました|に移行した|に置き換えました|に延期になった|で合意した|を選んだ|使い続ける|で決定).*',
   'ピザ|今夜|今日は|休憩',
   'decision', 2, 1, 0.8, 'active',
   'Postgresを使うことに決めました。', '今夜はピザを食べることにした。'),
  ('correction.changed_ja', 'correction', 'ja', 50,
   '^(?:いや、.+(?:です|だ)$|実は.+(?:名前|ポート|は).+|訂正[：:].+|違います、.+|.+ではなく.+|もう.+(?:いません|いない)|.+のことでした$|間違って.+、.+|.+の担当は今は?.+'
   || '|.+は今\d+.+)',
   '大丈夫|どっちでも|そのまま|ファイル|もう一度|終わ|動',
   'fact', 3, 1, 0.75, 'active',
   'いや、ポートは8081です。', 'いや、そのままで大丈夫です。'),
  ('statement.is_ja', 'statement', 'ja', 50,
   '^(?:.+(?:サーバー|データベース|プロジェクト)(?:の名前)?は.+(?:です|という名前です)|.+が\w+を担当しています|.+(?:にあります|で書かれている|から始まる|に開きます|で待ち受けている)$'
   || '|\w+でデプロイしています)',
   '何|どこ|誰|か$|質問',
   'fact', 1, 1, 0.7, 'active',
   'ステージングサーバーの名前はアオサギです。', 'サーバーの名前は何ですか？'),
  ('constraint.every', 'constraint', 'en', 40,
   '^(?:in\s+this\s+\w+\s+)?(?:every|each|all)\s+(?:new\s+)?(?:[\w./-]+\s+)+?(?:needs?|gets?|has|have|are|is|starts?'
   || '|ends?|goes?|carr(?:y|ies)|requires?|follows?|lives?)\s+\S.*',
   '\b(?:time|day|users?|good|done|fine|green|red|broken|failing|now|today|here|gone|the same|of (?:them|it|this)'
   || '|tests? (?:are|pass|is)|developers?|people|kids?|about|example|row|value in rust|orders)\b',
   'convention', 3, 1, 0.75, 'active',
   'Every PR needs two approvals.', 'All tests are green now.'),
  ('constraint.only', 'constraint', 'en', 41,
   '^only\s+(?:[\w./-]+\s+)+?(?:may|can|has|have|gets?|is\s+allowed|are\s+allowed)\s+\S.*',
   '\b(?:i|seen?|happens?|time|see|hope|two)\b',
   'policy', 4, 1, 0.8, 'active',
   'Only the release bot may tag versions.', 'Only time can tell.'),
  ('constraint.no_x_in_y', 'constraint', 'en', 42,
   '^(?:please\s+)?no\s+(?:[\w./-]+\s+)+?(?:in|on|at|without|after|before|during|under|outside|until|from)\s+\S.*',
   '^no\s+(?:\w+\s+)?(?:idea|problem|need|matter|change|changes|luck|errors?|difference|reason|way|worries|one|response'
   || '|such|wait|more questions|point|access|doubt|sign|news|rush|hurry|clue|comments were)\b|\b(?:yet|now|today|here|my)\b'
   || '|^no,',
   'policy', 3, -1, 0.8, 'active',
   'No deploys after 4pm.', 'No errors in the log.'),
  ('preference.before_after', 'preference', 'en', 91,
   '^(?:before|after|whenever|if\s+you|when\s+you|when\s+a|if\s+a)\s+(?:every|each|any|changing|merging|releasing'
   || '|going\s+live|deploying|touching|add|touch|change|break|bump|open|send|the\s+\w+\s+changes|\w+\s+(?:is|changes)'
   || '|an?\s+\w+)\b[^,]*,?\s+(?:you\s+(?:have|need)\s+to|you\s+fix|it\s+(?:gets|goes|has)|always|(?:please\s+)?(?:run'
   || '|update|regenerate|bump|tag|write|rebase|ask|get|we\s+(?:write|update|run)|has\s+to|the\s+\w+\s+has\s+to))\s+\S.*',
   '\b(?:this|that|it works|lunch|done|error|i (?:click|run)|run the|memory|possible|line \d)\b',
   'convention', 3, 1, 0.75, 'active',
   'If you add a dependency, write down why.', 'After lunch, run the tests on this branch.'),
  ('constraint.is_always', 'constraint', 'en', 44,
   '^(?:[\w./''-]+\s+)+?(?:is|are|gets?|stays?|goes?|has\s+to|have\s+to|need\s+to|can''?t|may\s+only|stay)\s+(?:always'
   || '|never|only|exclusively|below|above|under|out\s+of|in\s+english|off\s+limits|frozen|banned|reviewed|signed|be\s+\S+'
   || '|deleted\s+after)\b.*',
   '^(?:it|he|she|they|i|we|you|there|this|that|what|who)\b|\b(?:zero|null|true|false|none|empty|broken|failing|late|used'
   || '|called|slow|dns|my|test|prove|assume|below|above|finite|positive|pain|loop|cause|fun|the last|the same|funny|red)\b'
   || '|\bto\s+be\s+(?:faster|in here|somewhere|restarted)\b',
   'convention', 3, 1, 0.7, 'active',
   'Money is always stored in cents.', 'The value is always zero.'),
  ('constraint.label', 'constraint', 'en', 45,
   '^(?:(?:house|ground|golden|team|our)\s+rule|(?:our\s+|the\s+|a\s+)?(?:convention|policy)|company\s+policy'
   || '|our\s+(?:style\s+guide|deal)|(?:the|our)\s+rule)\b(?:\s+(?:for|here|in|on|of)\s+[^:,]*)?(?:\s+(?:is|says)'
   || '|\s*[:,])\s+(?P<what>\S.*)',
   '\b(?:broken|unclear|wrong|too|missing|outdated)\b',
   'convention', 3, 1, 0.85, 'active',
   'House rule: one component per file.', 'The rule is broken.'),
  ('constraint.repo_noun', 'constraint', 'en', 46,
   '^(?:commit\s+(?:messages|titles)|branch\s+names|branches|variable\s+names|file\s+names|comments|tests|migrations'
   || '|secrets|timestamps|prices|imports|error\s+messages|images|log\s+lines|passwords|tokens|keys|headlines|invoices'
   || '|css\s+classes|config|prs|pull\s+requests|ids|releases|releases|files\s+in\s+\S+|everything\s+in\s+\S+)\s+(?:must'
   || '|start|starts|end|follow|follows|stay|stays|are|is|have|has|go|goes|comes?|live|need|happen|run|say'
   || '|include)\s+(?:to\s+)?\S.*',
   '\b(?:green|red|broken|failing|now|today|here|missing|wrong|pass|fine|done|ready|gone|empty|nice|off|slow|hard|still'
   || '|long|late|confusing)\b',
   'convention', 3, 1, 0.75, 'active',
   'Branch names start with the ticket number.', 'Tests are green now.'),
  ('constraint.we_rule', 'constraint', 'en', 47,
   '^we\s+(?:always\s+)?(?:squash|tag|document|review|write\s+\w+\s+(?:before|for)|round|target|support\s+the|keep\s+one'
   || '|store\s+\w+\s+in|work\s+in\s+pairs|release\s+on|sign)\b\s*(?P<what>\S.*)',
   '\b(?:this|now|today|here|tomorrow|need|should)\b',
   'convention', 3, 1, 0.7, 'active',
   'We tag every release.', 'We document this now.'),
  ('constraint.house_de', 'constraint', 'de', 50,
   '^(?:(?:hier|in\s+diesem\s+projekt|bei\s+uns|wir)\s.*\b(?:verwenden|benutzen|nutzen)\b.*\b(?:nur|ausschliesslich|immer'
   || '|niemals|nie|kein\w*|hier|grundsatzlich)\b|(?:kein\w*|niemand|nichts|ohne)\s.*\b(?:ins|im|auf|in|pusht|geht)\b'
   || '|jede[rs]?\s+\w+\s+braucht\s|vor\s+jede[mr]\s.*\b(?:muss|mussen)\b|neue\s.*\bmussen\b)|\bwird\s+nicht\s|\b(?:durfen'
   || '|darf)\s+(?:nie|nicht|kein\w*)\b|\b(?:immer|nie)\s+(?:in|nach|mit)\s',
   '\b(?:ich|du|hier nicht|gerade|heute|mehr|idee|ahnung|problem|test|fehler|funktioniert)\b',
   'convention', 3, 1, 0.75, 'active',
   'Freitags wird nicht deployt.', 'Der Test wird nicht grün.'),
  ('constraint.house_es', 'constraint', 'es', 50,
   '^(?:(?:aqui|en\s+este\s+\w+)\s+(?:solo\s+)?(?:usamos|utilizamos|se\s+usa)|nadie\s+\w+|no\s+se\s+(?:despliega|guarda'
   || '|permite|toca|sube|usa|hace|acepta)\w*\s|cada\s+\w+\s+(?:necesita|debe|lleva|tiene)'
   || '|hay\s+que\s.*\bantes\s+de\s+cada\b)|\b(?:nunca\s+(?:sale|se)|no\s+pueden|tienen?\s+que|se\s+guardan\s+(?:siempre)?'
   || '|esta\s+prohibido)\b|\b(?:empiezan|van)\s+siempre\b',
   '\b(?:hoy|ahora|esto|este fallo|entregar|yo|contesto|esta roto)\b',
   'convention', 3, 1, 0.75, 'active',
   'No se despliega los viernes.', 'Nadie contesto hoy.'),
  ('constraint.house_fr', 'constraint', 'fr', 50,
   '^(?:(?:ici|dans\s+ce\s+\w+),?\s+(?:on|nous)\s+(?:n'')?utilis|personne\s+ne\s|on\s+ne\s+(?:deploie|pousse|touche'
   || '|stocke|fusionne|commit)\s+(?:pas|jamais|rien)|pas\s+de\s+\w+\s+(?:dans|sur|le)\s|chaque\s+\w+\s+(?:a\s+besoin|doit'
   || '|porte)|il\s+faut\s.*\bavant\s+chaque\b)|\b(?:n''ont\s+pas\s+le\s+droit|il\s+est\s+interdit|ne\s+doivent\s+(?:jamais'
   || '|pas)|(?:commencent|sont)\s+toujours)\b',
   '\b(?:aujourd''hui|maintenant|ca|repond|marche)\b',
   'convention', 3, 1, 0.75, 'active',
   'On ne déploie pas le vendredi.', 'Personne ne répond.'),
  ('constraint.house_pt', 'constraint', 'pt', 50,
   '^(?:(?:aqui|neste\s+\w+)\s+(?:so\s+)?usamos|ninguem\s+\w+|nao\s+(?:fazemos|usamos|guardamos|aceitamos)\s'
   || '|cada\s+\w+\s+(?:precisa|deve|leva|tem)|nada\s+de\s|(?:todos|todas)\s+(?:os|as)\s.*\b(?:devem|tem\s+que|precisam)\b'
   || '|e\s+preciso\s.*\bantes\s+de\s+cada\b|(?:as|os)\s.*\bdevem\s)|\b(?:nunca\s+saem|nao\s+podem|tem\s+que|e\s+proibido'
   || '|sao\s+sempre|comecam\s+sempre)\b',
   '\b(?:hoje|agora|isso|entregar|mais|respondeu|funcao)\b',
   'convention', 3, 1, 0.75, 'active',
   'Não fazemos deploy às sextas.', 'Ninguem respondeu hoje.'),
  ('constraint.house_it', 'constraint', 'it', 50,
   '^(?:(?:qui|in\s+questo\s+\w+)\s+usiamo|nessuno\s+\w+|ogni\s+\w+\s+(?:ha\s+bisogno|deve|porta)|niente\s+\w+\s+(?:nel'
   || '|nella|in|su)\s|(?:tutti|tutte)\s.*\bdevono\b|bisogna\s.*\bprima\s+di\s+ogni\b|(?:le|gli|i)\s.*\bdevono\s)'
   || '|\bnon\s+si\s+(?:fa|tocca|usa|pusha)\b|\b(?:non\s+devono|non\s+possono|e\s+vietato|si\s+salvano\s+sempre'
   || '|iniziano\s+sempre)\b',
   '\b(?:oggi|ora|questo bug|risponde|consegnar)\b',
   'convention', 3, 1, 0.75, 'active',
   'Il venerdì non si fa deploy.', 'Nessuno risponde.'),
  ('constraint.house_nl', 'constraint', 'nl', 50,
   '^(?:(?:we|wij)\s+gebruiken\s+hier|in\s+dit\s+\w+\s+gebruiken\s|niemand\s+\w+|elke\s+\w+\s+(?:heeft|moet|krijgt)'
   || '|geen\s+\w+\s+in\s|alle\s.*\bmoeten\b|voor\s+elke\s.*\bmoet\b|\w+\s+moeten\s)|\bwordt\s+er\s+niet\b'
   || '|\b(?:mogen\s+(?:nooit|het|niet|geen)|het\s+is\s+verboden|worden\s+altijd|beginnen\s+altijd)\b',
   '\b(?:vandaag|nu|dit opleveren|antwoordt|we moeten)\b',
   'convention', 3, 1, 0.75, 'active',
   'Op vrijdag wordt er niet gedeployed.', 'Niemand antwoordt.');

-- What was tried or proposed and turned down, with its reason: told when it comes up again.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('decision.tried_in_vain', 'decision', 'en', 5,
   '^(?:we(?:''ve|''d|\s+have|\s+had)?\s+(?:already\s+|also\s+|once\s+|even\s+)?(?:tried|tested|evaluated|experimented\s+with|piloted)'
   || '|i(?:''ve|\s+have)?\s+(?:already\s+|also\s+|once\s+)?tried\s+(?:using|moving|switching|migrating|replacing|upgrading|adopting'
   || '|going))\s+(?P<what>\S.*?)(?:\s*[,;:-]\s*|\s+)(?:(?:and|but)\s+)?(?:we\s+had\s+to\s+(?:revert|roll|back)|(?:it|that|this|they|which|everything'
   || '|the\s+\S+)\s+(?:\w+\s+)?(?:br(?:oke|eaks)|fail(?:ed|s)|crash(?:ed|es)|los(?:t|es)|leak(?:ed|s)|corrupt(?:ed|s)|deadlock(?:ed|s)'
   || '|h(?:u|a)ngs?|timed\s+out|conflict(?:ed|s)|caus(?:ed|es)|slow(?:ed|s)|doubled|tripled|blocked|ran\s+(?:out|into)|made\s+\S+'
   || '|(?:did|does|do|was|were|is)(?:n''t|\s+not)\s+\w+|(?:was|were|is|are|got|became)\s+(?:far\s+|way\s+|much\s+)?(?:too|worse'
   || '|slower|flaky|unstable|unusable|a\s+(?:mess|disaster|nightmare|pain))|cost\s+(?:too|more)|never\s+worked))\b',
   '\btried\s+(?:to|again|running|it\b|that\b|this\b|your|the\s+(?:tests?|build|command|link|button|fix|new\s+version))\b'
   || '|\b(?:restaurant|pizza|recipe|today|just\s+now|works\s+now|fixed|seems?|can\s+you|help|not\s+sure)\b',
   'rejected', 3, -1, 0.8, 'active',
   'We tried Redis for the queue, it lost jobs at a restart.', 'We tried to run the tests but it failed.'),
  ('decision.rather_not', 'decision', 'en', 6,
   '^let(?:''s|\s+us)\s+(?:not|never)\s+(?:use\s+)?(?P<what>\S.*?)\s*(?:\s(?:because|since|as\s+(?:it|that|they|this|we))\b'
   || '|[,;:-]\s*(?:it|that|this|they|because)\s).*\w',
   '\b(?:today|tonight|now|right\s+now|for\s+now|yet|forget|talk|panic|worry|argue|get\s+ahead|pizza|lunch|this\s+time|this\s+one)\b',
   'rejected', 3, -1, 0.8, 'active',
   'Let''s not use Redis because it lost jobs at a restart.', 'Let''s not do this now because I''m tired.'),
  ('decision.turned_down', 'decision', 'en', 7,
   '^(?:we|i)(?:''ve|\s+have)?\s+(?:already\s+|also\s+|finally\s+)?(?:decided\s+against|ruled\s+out|rejected|turned\s+down'
   || '|gave\s+up\s+on|given\s+up\s+on|abandoned|backed\s+out\s+(?:of\s+)?|reverted|rolled\s+back)\s+(?P<what>\S.*?)'
   || '(?:\s(?:because|since|as\s+(?:it|that|they|this|we)|when\s+it|after\s+it|due\s+to)\b|\s*[,;:-]\s*(?:it|that|this|they|too)\s).*\w',
   '\b(?:today|just\s+now|for\s+now|your\s+(?:change|edit|commit)|the\s+last\s+commit|pizza|lunch|dinner)\b',
   'rejected', 3, -1, 0.85, 'active',
   'We decided against Kafka because it is too much for three events a day.', 'I reverted your change because the tests fail.'),
  ('decision.rejected_de', 'decision', 'de', 30,
   '^(?:(?:wir|ich)\s+(?:haben?|hatten)\s+(?:\S+\s+){0,8}?(?:ausprobiert|probiert|versucht|verworfen|getestet)\b.*(?:,|aber|das|es)'
   || '\s+(?:\S+\s+){0,6}?(?:kaputt|abgesturzt|verloren|gescheitert|fehlgeschlagen|zu\s+(?:langsam|teuer|instabil|aufwendig)'
   || '|funktionierte\s+nicht|nicht\s+funktioniert|ging\s+nicht|weil)\b|(?:lass(?:t)?\s+uns|lieber|besser)\s+(?:\S+\s+){0,6}?(?:nicht|kein\w*)\s.*\bweil\b'
   || '|wir\s+(?:nehmen|verwenden|nutzen|machen)\s+(?:\S+\s+){0,4}?(?:nicht|kein\w*)\b.*\bweil\b)',
   '\b(?:heute|jetzt|gerade|erst ?mal|mittag|pizza|zu starten|die tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Wir haben Redis für die Queue ausprobiert, das hat Jobs verloren.', 'Ich habe versucht, die Tests zu starten, das ging nicht.'),
  ('decision.rejected_es', 'decision', 'es', 30,
   '^(?:(?:ya\s+)?(?:probamos|hemos\s+probado|intentamos\s+(?:usar|migrar|cambiar)|descartamos|hemos\s+descartado)\s+\S.*'
   || '(?:rompio|rompia|fallo|fallaba|perdio|perdia|no\s+funcion\w+|era\s+(?:demasiado|muy)|porque|ya\s+que)\b'
   || '|(?:mejor\s+)?no\s+(?:usemos|hagamos|migremos|cambiemos|metamos)\s+\S.*\b(?:porque|ya\s+que)\b)',
   '\b(?:hoy|ahora|por ahora|todavia|pizza|comer|las pruebas)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Probamos Redis para la cola y perdió trabajos.', 'Hoy no hagamos nada porque estoy cansado.'),
  ('decision.rejected_fr', 'decision', 'fr', 30,
   '^(?:(?:on|nous)\s+(?:a|avons)\s+(?:deja\s+)?(?:essaye|teste|abandonne|ecarte|rejete)\s+\S.*(?:casse|plante|perdu|perdait|echoue'
   || '|ne\s+(?:marchait|fonctionnait|tenait)\s+pas|etait\s+trop|parce\s+qu|car\s)'
   || '|(?:evitons|n''utilisons\s+pas|ne\s+\w+ons\s+pas)\s+\S.*\b(?:parce\s+qu|car\s).*)',
   '\b(?:aujourd''hui|maintenant|pour l''instant|encore|pizza|manger|de lancer)\b',
   'rejected', 3, -1, 0.75, 'active',
   'On a essayé Redis pour la file, ça a perdu des tâches.', 'Ne parlons pas de ça maintenant car je suis fatigué.'),
  ('decision.rejected_pt', 'decision', 'pt', 30,
   '^(?:(?:(?:nos\s+)?(?:ja\s+)?(?:tentamos\s+(?:usar|migrar|trocar|mudar|passar)|testamos|experimentamos|avaliamos|descartamos|abandonamos|rejeitamos)'
   || '|(?:a\s+gente|eu)\s+(?:ja\s+)?(?:testou|testei|experimentou|descartou|descartei|abandonou|tentou\s+(?:usar|migrar|trocar)|tentei\s+(?:usar|migrar|trocar)))'
   || '\s+\S.*(?:quebr(?:ou|av\w+|aram)|falh(?:ou|av\w+|aram)|perd(?:eu|ia\w*|eram)|trav(?:ou|av\w+|aram)|corromp\w+|nao\s+(?:funcion\w+|deu\s+certo|aguent\w+|escal\w+)'
   || '|(?:era|eram|ficou|ficava|foi)\s+(?:muito|demasiado|mais|instavel)|porque|pois|ja\s+que)\b'
   || '|(?:e\s+)?(?:melhor\s+)?nao\s+(?:vamos\s+)?(?:usar(?:mos)?|usemos|adotar(?:mos)?|migrar(?:mos)?|trocar(?:mos)?)\s+\S.*\b(?:porque|pois|ja\s+que)\b)',
   '\b(?:hoje|agora|por enquanto|ainda|pizza|almoc\w+|os testes)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Testamos o Redis para a fila e ele perdeu tarefas.', 'Hoje não vamos usar o carro porque chove.'),
  ('decision.rejected_it', 'decision', 'it', 30,
   '^(?:(?:(?:noi\s+)?abbiamo|ho)\s+(?:gia\s+)?(?:provato|testato|sperimentato|valutato|scartato|abbandonato|rifiutato)\s+\S.*'
   || '(?:rott[oaie]|romp\w+|fallit[oaie]|falliva\w*|pers[oaie]|perdeva\w*|bloccat[oaie]|bloccava\w*|corrott[oaie]|non\s+(?:ha\s+|hanno\s+)?(?:funzion\w+|regg\w+|rett[oa]|scala\w*)'
   || '|(?:era|erano|diventava)\s+(?:troppo|piu|instabil\w+)|perche|poiche|dato\s+che|visto\s+che)\b'
   || '|(?:meglio\s+)?non\s+(?:usiamo|usare|adottiamo|passiamo|migriamo)\s+\S.*\b(?:perche|poiche|dato\s+che|visto\s+che)\b)',
   '\b(?:oggi|adesso|per ora|ancora|pizza|pranzo|i test)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Abbiamo provato Redis per la coda e ha perso dei lavori.', 'Oggi non usiamo la macchina perché piove.'),
  ('decision.rejected_nl', 'decision', 'nl', 30,
   '^(?:(?:we|wij|ik)\s+(?:hebben|heb|hadden)\s+(?:\S+\s+){0,8}?(?:uitgeprobeerd|geprobeerd|getest|geevalueerd|verworpen|afgewezen)\b.*'
   || '(?:kapot\w*|brak|braken|crasht\w*|gecrasht|faald\w*|gefaald|mislukt\w*|verlo(?:or|ren)|vastgelopen|liep\s+vast|te\s+(?:traag|duur|zwaar|complex|instabiel|ingewikkeld)'
   || '|werkte\s+niet|niet\s+gewerkt|want|omdat)\b'
   || '|(?:laten\s+we|liever|beter)\s+(?:\S+\s+){0,6}?(?:niet|geen)\s.*\b(?:want|omdat)\b'
   || '|(?:we|wij)\s+(?:nemen|gebruiken)\s+(?:\S+\s+){0,4}?(?:niet|geen)\b.*\b(?:want|omdat)\b)',
   '\b(?:vandaag|nu|even|voorlopig|pizza|lunch|de tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'We hebben Redis voor de wachtrij geprobeerd, het verloor taken.', 'We gebruiken de auto vandaag niet, want het regent.'),
  ('decision.rejected_zh', 'decision', 'zh', 30,
   '^(?:(?:我们|咱们|我)(?:之前|以前|已经|曾经|早就|也|都)*(?:试过|试用过|试了|尝试过|尝试了|测试过|用过|评估过|评估了|放弃了|否决了|排除了|弃用了)\S.*'
   || '(?:坏|崩|丢|失败|超时|死锁|泄漏|冲突|出错|出问题|报错|卡住|变慢|太慢|太贵|太重|太复杂|不稳定|不行|没用|不支持|扛不住|因为)'
   || '|(?:我们|咱们|还是|最好)+(?:别|不要|不再?)(?:用|采用|引入|换成|迁移到)\S.*(?:因为|毕竟))',
   '今天|现在|暂时|这次|刚才|一下|吃|披萨|跑测试',
   'rejected', 3, -1, 0.75, 'active',
   '我们试过用Redis做队列，结果丢了任务。', '今天我们不要用车，因为下雨。'),
  ('decision.rejected_ja', 'decision', 'ja', 30,
   '[をはもにへ]\S{0,8}?(?:試した|試しました|試してみた|試してみました|使ってみた|使ってみました|検証した|検証しました|検討した|検討しました|導入した|導入しました|移行した|移行しました)'
   || '(?:が|けど|けれど|ところ|ものの|んですが|んだけど|のですが|、|,|結果).*(?:壊|落ち|失敗|消え|失|遅|不安定|だめ|ダメ|駄目|動かな|動きません|高すぎ|複雑|重すぎ|固ま|タイムアウト|デッドロック|エラー|やめ|見送|断念)'
   || '|(?:ので|ため|から|を理由に)、?(?:\S+は)?(?:却下|見送|断念|採用しな|採用しません|不採用|使うのをやめ|やめました|やめることに)',
   '今日|今は|とりあえず|さっき|ランチ|ピザ|テストを実行',
   'rejected', 3, -1, 0.75, 'active',
   'キューにRedisを試しましたが、ジョブが失われました。', '今日は雨なので見送ります。');

-- All of the above came with cogmem; what is inserted later is a person's own.
update capture_rule set is_own = 0;

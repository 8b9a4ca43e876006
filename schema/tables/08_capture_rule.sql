-- What is worth keeping of a message: one pattern per row, so that a person can add, change or switch off rules.

create table capture_rule (
  -- One row per pattern that makes of a clause of a message, whole, a memory. Code, quotations, logs and URLs are left
  -- out before, and what asks, supposes, reports or jokes. `cogmem capture rules check` proves each row by its examples.
  name             text primary key,                  -- family.what; of another language than English family.what_de
  family           text not null,                     -- constraint wins over correction, decision, profile, preference,
                                                      -- statement; remember: it is asked for; self_error reads the agent
  language         text not null default 'en',        -- de, es, fr, pt, it, nl, zh, ja: it reads these; else all
  position         integer not null default 100,      -- within a family the lowest that matches takes the clause
  pattern          text not null,                     -- re2, no case, no accents; a blank is any white space; ^ stands behind
                                                      -- "ok, please …"; (?P<what>…) names it: a later one on it replaces it
  veto             text,                              -- re2: where it is found, the clause is left; null: never
  kind             text not null references kind (name) on update cascade, -- what it is stored as
  priority         integer not null default 2,        -- 4 critical, 3 high, 2 medium, 1 normal
  polarity         integer not null default 1,        -- -1: the clause forbids or denies
  confidence       real not null default 0.8,         -- 0 to 1: how often such a clause lasts
  state            text not null default 'active',    -- candidate: it waits until it is said again
  outcome          text not null default '',          -- of a self_error: failure, or learning: something else was tried
  example          text not null,                     -- a message that this rule must capture something of
  counter_example  text not null,                     -- a message that looks alike and that this rule must leave
  is_enabled       integer not null default 1,        -- 0: out of use
  is_own           integer not null default 1,        -- 1: a person's own, never doubted; 0: it came with cogmem
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

-- What asks to be remembered, in so many words; what was turned down, with its reason; what an agent says of its own
-- mistakes; and standing orders in a language that the score of cogmem/language/worth.py does not know. All else that a
-- person says is judged by that score.
insert into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example,
   counter_example, is_own)
values
  ('remember.this', 'remember', 'en', 10,
   '^(remember|memori[sz]e|save|store|keep|note) (this|that|the following|these|it)( (down|fact|facts|rule|r'
   || 'ules|points?))?( (to|in) (your |the )?memory| for (later|next time|the future))?\s*[:,-]\s*(?P<what>\S.*'
   || '|)$',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Remember this: the staging password rotates every Monday.',
   'She will remember this day for ever.', 0),
  ('remember.label', 'remember', 'en', 11,
   '^(please )?(remember|reminder for you|to remember|memo|keep in mind|bear in mind|note to self|don''?t forget)'
   || '\s*:\s*(?P<what>\S.*|)$',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Remember: Lena''s judo is on Tuesdays at 17:00.',
   'Do you remember: was it red or blue?', 0),
  ('remember.that', 'remember', 'en', 12,
   '^((i want you to|i need you to|make sure (to|you)|you (should|must|have to|need to|can)|always|just|try '
   || 'to) )?(remember|keep in mind|bear in mind|note|take note|make a note|don''?t forget|do not forget|never f'
   || 'orget|memori[sz]e) that (?P<what>\S.+)',
   '\b(remember|forget|mind) that (time|day|one|guy|bug|night|summer|moment|feeling)\b',
   'fact', 2, 1, 1.0, 'active', '',
   'Remember that our fiscal year starts in April.',
   'I remember that the shop had a green door.', 0),
  ('remember.to_always', 'remember', 'en', 13,
   '^(remember|don''?t forget|do not forget) to (?P<what>(always|never) \S.+)',
   null,
   'preference', 2, 1, 1.0, 'active', '',
   'Remember to always ask me before you send an email.',
   'Remember to breathe, I tell myself.', 0),
  ('remember.in_memory', 'remember', 'en', 14,
   '^(save|add|store|commit|put|write) (this |the following )?(to|in|into) (your |the )?memory\s*([:,-]|\bth'
   || 'at\b)\s*(?P<what>\S.*|)$',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Add to memory: the wholesale price list is in the Drive folder.',
   'Store in memory chips is cheaper now.', 0),
  ('remember.for_reference', 'remember', 'en', 15,
   '^((for (future|your|later) reference|for the record|for your information)\s*[:,-]|(fyi|just so you know|'
   || 'so you know)\s*[:,-]?) (?P<what>\S.+)',
   '\b(i think|i guess|i(''?m| am) (not|just))\b',
   'fact', 1, 1, 0.7, 'active', '',
   'For future reference: the printer on floor 2 is called HPL-221.',
   'For the record player I need a belt.', 0),
  ('remember.it', 'remember', 'en', 16,
   '^(remember|save|memori[sz]e|store|note) (this|that|it)( (down|forever|in future|from now on)| for (later'
   || '|next time|the future|me)| (to|in) (your |the )?memory|,? please|,? ok(ay)?)*$',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'I use zsh on all my machines. Remember this.',
   'It is a day to remember, this one.', 0),
  ('remember.what', 'remember', 'en', 17,
   '^(please )?(remember|keep in mind|bear in mind|don''?t forget|do not forget),? (?P<what>(i''?m|we''?re|\S.*\b(is|are'
   || '|was|were|isn''?t|aren''?t|has|have|hasn''?t|haven''?t|will|won''?t|can|can''?t|cannot|do|does|don''?t|doesn''?t'
   || '|must|should|may|uses|needs|i''?m|we''?re|they''?re|live|work|prefer|like|love|hate|use)) \S.+)',
   '^(please )?(remember|keep in mind|bear in mind|don''?t forget|do not forget),? (to|this|it|when|how|what|wher'
   || 'e|who|why|which|me|us|him|her|them|(the|that) (time|day|one|guy|bug|night|summer|moment|feeling))\b',
   'fact', 2, 1, 1.0, 'active', '',
   'Remember the badge reader is upstairs.',
   'Remember how slow the build was.', 0),
  ('remember.sign', 'remember', 'en', 18,
   '^#(?P<what>\pL\S*( \S+){4,})$',
   '^#(include|define|ifdef|ifndef|elif|endif|pragma)\b|^#if .*(\bdefined\b|[=<>&|])|[{}]',
   'fact', 2, 1, 1.0, 'active', '',
   '#every morning go through the list of open tickets',
   '# Title of the page that is below', 0),
  ('remember.merk_dir_de', 'remember', 'de', 12,
   '^(merk(e)? dir|denk (bitte )?daran|vergiss nicht|beachte)\s*(bitte\s*)?([:,]\s*)?(dass )?(?P<what>\S.+)',
   '\b(zu|das|die|den) (kaufen|holen)\b',
   'fact', 2, 1, 1.0, 'active', '',
   'Merk dir: die Lieferung kommt donnerstags.',
   'Das merke ich mir schon irgendwie.', 0),
  ('remember.recuerda_es', 'remember', 'es', 12,
   '^(recuerda|recuerde|ten en cuenta|no olvides|apunta|anota)\s*(que\b|:)\s*(?P<what>\S.+)',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Recuerda que la tienda cierra a las ocho.',
   'Me recuerda que soy un despistado.', 0),
  ('remember.souviens_toi_fr', 'remember', 'fr', 12,
   '^(souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|n''oublie pas|n''oubliez pas)\s*(bien )?(que\b|q'
   || 'u''|:)\s*(?P<what>\S.+)',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Souviens-toi que le budget est de 3000 euros.',
   'Je me souviens que la porte était verte.', 0),
  ('remember.elsewhere', 'remember', 'en', 12,
   '^((ricorda|ricordati|ricordate) che\b|lembr[ae](-se|-te)?( de)? que\b|onthoud dat\b|(запомни|запомните|учти)(,| что|'
   || ':)+|(ingat|catat)(lah)?( ini[,:]| bahwa| kalau|:)|(请|帮我)*(记住|记一下|别忘了)[,:，：]?)\s*(?P<what>\S.+)',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   'Ricorda che il magazzino chiude alle sei.',
   'Ik onthoud dat soort dingen nooit.', 0),
  ('remember.oboete_ja', 'remember', 'ja', 12,
   '^(?P<what>\S.+)(と|を|は)覚えて(おいて|おけ|ください|下さい|いて)',
   null,
   'fact', 2, 1, 1.0, 'active', '',
   '倉庫は六時に閉まると覚えておいてください。',
   '名前をもう覚えていないです。', 0),
  ('decision.tried_in_vain', 'decision', 'en', 5,
   '^(we(''ve|''d| have| had)? (already |also |once |even )?(tried|tested|evaluated|experimented with|piloted)'
   || '|i(''ve| have)? (already |also |once )?tried (using|moving|switching|migrating|replacing|upgrading|adopti'
   || 'ng|going)) (?P<what>\S.*?)(\s*[,;:-]\s*| )((and|but) )?(we had to (revert|roll|back)|(it|that|this|they|'
   || 'which|everything|the \S+) (\w+ )?(br(oke|eaks)|fail(ed|s)|crash(ed|es)|los(t|es)|leak(ed|s)|corrupt(ed|s'
   || ')|deadlock(ed|s)|h(u|a)ngs?|timed out|conflict(ed|s)|caus(ed|es)|slow(ed|s)|doubled|tripled|blocked|ran '
   || '(out|into)|made \S+|(did|does|do|was|were|is)(n''t| not) \w+|(was|were|is|are|got|became) (far |way |much'
   || ' )?(too|worse|slower|flaky|unstable|unusable|a (mess|disaster|nightmare|pain))|cost (too|more)|never wor'
   || 'ked))\b',
   '\btried (to|again|running|it\b|that\b|this\b|your|the (tests?|build|command|link|button|fix|new version)'
   || ')\b|\b(restaurant|pizza|recipe|today|just now|works now|fixed|seems?|can you|help|not sure)\b',
   'rejected', 3, -1, 0.8, 'active', '',
   'We tried Redis for the queue, it lost jobs at a restart.',
   'We tried to run the tests but it failed.', 0),
  ('decision.rather_not', 'decision', 'en', 6,
   '^let(''s| us) (not|never) (use )?(?P<what>\S.*?)\s*(\s(because|since|as (it|that|they|this|we))\b|[,;:-]\'
   || 's*(it|that|this|they|because)\s).*\w',
   '\b(today|tonight|now|right now|for now|yet|forget|talk|panic|worry|argue|get ahead|pizza|lunch|this time'
   || '|this one)\b',
   'rejected', 3, -1, 0.8, 'active', '',
   'Let''s not use Redis because it lost jobs at a restart.',
   'Let''s not do this now because I''m tired.', 0),
  ('decision.turned_down', 'decision', 'en', 7,
   '^(we|i)(''ve| have)? (already |also |finally )?(decided against|ruled out|rejected|turned down|gave up on'
   || '|given up on|abandoned|backed out (of )?|reverted|rolled back) (?P<what>\S.*?)(\s(because|since|as (it|t'
   || 'hat|they|this|we)|when it|after it|due to)\b|\s*[,;:-]\s*(it|that|this|they|too)\s).*\w',
   '\b(today|just now|for now|your (change|edit|commit)|the last commit|pizza|lunch|dinner)\b',
   'rejected', 3, -1, 0.85, 'active', '',
   'We decided against Kafka because it is too much for three events a day.',
   'I reverted your change because the tests fail.', 0),
  ('decision.rejected_de', 'decision', 'de', 30,
   '^((wir|ich) (haben?|hatten) (\S+ ){0,8}?(ausprobiert|probiert|versucht|verworfen|getestet)\b.*(,|aber|da'
   || 's|es) (\S+ ){0,6}?(kaputt|abgesturzt|verloren|gescheitert|fehlgeschlagen|zu (langsam|teuer|instabil|aufw'
   || 'endig)|funktionierte nicht|nicht funktioniert|ging nicht|weil)\b|(lass(t)? uns|lieber|besser) (\S+ ){0,6'
   || '}?(nicht|kein\w*)\s.*\bweil\b|wir (nehmen|verwenden|nutzen|machen) (\S+ ){0,4}?(nicht|kein\w*)\b.*\bweil'
   || '\b)',
   '\b(heute|jetzt|gerade|erst ?mal|mittag|pizza|zu starten|die tests)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'Wir haben Redis für die Queue ausprobiert, das hat Jobs verloren.',
   'Ich habe versucht, die Tests zu starten, das ging nicht.', 0),
  ('decision.rejected_es', 'decision', 'es', 30,
   '^((ya )?(probamos|hemos probado|intentamos (usar|migrar|cambiar)|descartamos|hemos descartado) \S.*(romp'
   || 'io|rompia|fallo|fallaba|perdio|perdia|no funcion\w+|era (demasiado|muy)|porque|ya que)\b|(mejor )?no (us'
   || 'emos|hagamos|migremos|cambiemos|metamos) \S.*\b(porque|ya que)\b)',
   '\b(hoy|ahora|por ahora|todavia|pizza|comer|las pruebas)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'Probamos Redis para la cola y perdió trabajos.',
   'Hoy no hagamos nada porque estoy cansado.', 0),
  ('decision.rejected_fr', 'decision', 'fr', 30,
   '^((on|nous) (a|avons) (deja )?(essaye|teste|abandonne|ecarte|rejete) \S.*(casse|plante|perdu|perdait|ech'
   || 'oue|ne (marchait|fonctionnait|tenait) pas|etait trop|parce qu|car\s)|(evitons|n''utilisons pas|ne \w+ons '
   || 'pas) \S.*\b(parce qu|car\s).*)',
   '\b(aujourd''hui|maintenant|pour l''instant|encore|pizza|manger|de lancer)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'On a essayé Redis pour la file, ça a perdu des tâches.',
   'Ne parlons pas de ça maintenant car je suis fatigué.', 0),
  ('constraint.jangan_pernah_id', 'constraint', 'id', 10,
   '^jangan (pernah|sekali-?kali|sampai) (?P<what>\w.+)',
   null,
   'policy', 4, -1, 0.9, 'active', '',
   'Jangan pernah hapus data pelanggan.',
   'Dia bilang jangan pernah pakai lift itu.', 0),
  ('preference.selalu_id', 'preference', 'id', 11,
   '^selalu (gunakan|pakai|pakailah)?\s*(?P<what>\w.+)',
   '^selalu (ada|saja|begitu|gagal|begini)\b',
   'preference', 2, 1, 0.8, 'active', '',
   'Selalu gunakan bahasa Indonesia yang baku.',
   'Saya tidak selalu pakai tabel di laporan.', 0),
  ('preference.jangan_pakai_id', 'preference', 'id', 12,
   '^jangan (gunakan|pakai|menggunakan|memakai) (?P<what>\w.+)',
   null,
   'preference', 2, -1, 0.8, 'active', '',
   'Jangan gunakan singkatan di surat resmi.',
   'Jangan khawatir, masih banyak waktu kok.', 0),
  ('correction.sebenarnya_id', 'correction', 'id', 20,
   '^(sebenarnya|sebetulnya|koreksi)\s*[:,]? \w.+',
   '^\w+\s*[:,]? (apa|apakah|bisa|bisakah|kenapa|mengapa|bagaimana|siapa|saya (rasa|pikir|ingin|mau)|tolong|'
   || 'tidak apa)\b',
   'fact', 3, 1, 0.8, 'active', '',
   'Sebenarnya nama tokonya Sinar Jaya.',
   'Sebenarnya apa arti kata itu dalam kalimat?', 0),
  ('preference.lebih_suka_id', 'preference', 'id', 20,
   '\b(saya|aku|kami|kita) (lebih (suka|memilih|senang)|memilih) (?P<what>\w.+)',
   '\btidak lebih\b',
   'preference', 2, 1, 0.9, 'active', '',
   'Saya lebih suka jawaban yang singkat.',
   'Saya tidak lebih suka yang mana pun.', 0),
  ('constraint.harus_id', 'constraint', 'id', 22,
   '\b(harus|wajib) \w.+',
   '\b(tidak|tak|belum|saya|aku|dia|apa|apakah|kenapa|mengapa) (harus|wajib)\b',
   'policy', 4, 1, 0.8, 'active', '',
   'Semua laporan harus dikirim sebelum jam lima.',
   'Saya harus pergi sekarang, sampai besok.', 0),
  ('correction.bukan_id', 'correction', 'id', 30,
   '\bbukan ([^,;]+?),? (tapi|tetapi|melainkan) \w.+',
   '\bbukan (hanya|cuma|saja)\b',
   'fact', 3, 1, 0.8, 'active', '',
   'Bukan hari Senin tapi hari Rabu.',
   'Bukan hanya murah tapi juga enak sekali.', 0),
  ('correction.tidak_id', 'correction', 'id', 31,
   '^(tidak|bukan|nggak)\s*[,:]\s*\w.+',
   '[,:]\s*(terima kasih|makasih|apa-apa|usah|perlu|masalah|saya|cukup|sudah)\b',
   'fact', 3, 1, 0.7, 'active', '',
   'Bukan, rapatnya di lantai tiga.',
   'Tidak, terima kasih, sudah cukup.', 0),
  ('decision.rejected_it', 'decision', 'it', 30,
   '^(((noi )?abbiamo|ho) (gia )?(provato|testato|sperimentato|valutato|scartato|abbandonato|rifiutato) \S.*'
   || '(rott[oaie]|romp\w+|fallit[oaie]|falliva\w*|pers[oaie]|perdeva\w*|bloccat[oaie]|bloccava\w*|corrott[oaie'
   || ']|non (ha |hanno )?(funzion\w+|regg\w+|rett[oa]|scala\w*)|(era|erano|diventava) (troppo|piu|instabil\w+)'
   || '|perche|poiche|dato che|visto che)\b|(meglio )?non (usiamo|usare|adottiamo|passiamo|migriamo) \S.*\b(per'
   || 'che|poiche|dato che|visto che)\b)',
   '\b(oggi|adesso|per ora|ancora|pizza|pranzo|i test)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'Abbiamo provato Redis per la coda e ha perso dei lavori.',
   'Oggi non usiamo la macchina perché piove.', 0),
  ('decision.rejected_ja', 'decision', 'ja', 30,
   '[をはもにへ]\S{0,8}?(試した|試しました|試してみた|試してみました|使ってみた|使ってみました|検証した|検証しました|検討した|検討しました|導入した|導入しました|移行した|移行しました)(が'
   || '|けど|けれど|ところ|ものの|んですが|んだけど|のですが|、|,|結果).*(壊|落ち|失敗|消え|失|遅|不安定|だめ|ダメ|駄目|動かな|動きません|高すぎ|複雑|重すぎ|固ま|タイムアウト|デッドロ'
   || 'ック|エラー|やめ|見送|断念)|(ので|ため|から|を理由に)、?(\S+は)?(却下|見送|断念|採用しな|採用しません|不採用|使うのをやめ|やめました|やめることに)',
   '今日|今は|とりあえず|さっき|ランチ|ピザ|テストを実行',
   'rejected', 3, -1, 0.75, 'active', '',
   'キューにRedisを試しましたが、ジョブが失われました。',
   '今日は雨なので見送ります。', 0),
  ('decision.rejected_nl', 'decision', 'nl', 30,
   '^((we|wij|ik) (hebben|heb|hadden) (\S+ ){0,8}?(uitgeprobeerd|geprobeerd|getest|geevalueerd|verworpen|afg'
   || 'ewezen)\b.*(kapot\w*|brak|braken|crasht\w*|gecrasht|faald\w*|gefaald|mislukt\w*|verlo(or|ren)|vastgelope'
   || 'n|liep vast|te (traag|duur|zwaar|complex|instabiel|ingewikkeld)|werkte niet|niet gewerkt|want|omdat)\b|('
   || 'laten we|liever|beter) (\S+ ){0,6}?(niet|geen)\s.*\b(want|omdat)\b|(we|wij) (nemen|gebruiken) (\S+ ){0,4'
   || '}?(niet|geen)\b.*\b(want|omdat)\b)',
   '\b(vandaag|nu|even|voorlopig|pizza|lunch|de tests)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'We hebben Redis voor de wachtrij geprobeerd, het verloor taken.',
   'We gebruiken de auto vandaag niet, want het regent.', 0),
  ('decision.rejected_pt', 'decision', 'pt', 30,
   '^(((nos )?(ja )?(tentamos (usar|migrar|trocar|mudar|passar)|testamos|experimentamos|avaliamos|descartamo'
   || 's|abandonamos|rejeitamos)|(a gente|eu) (ja )?(testou|testei|experimentou|descartou|descartei|abandonou|t'
   || 'entou (usar|migrar|trocar)|tentei (usar|migrar|trocar))) \S.*(quebr(ou|av\w+|aram)|falh(ou|av\w+|aram)|p'
   || 'erd(eu|ia\w*|eram)|trav(ou|av\w+|aram)|corromp\w+|nao (funcion\w+|deu certo|aguent\w+|escal\w+)|(era|era'
   || 'm|ficou|ficava|foi) (muito|demasiado|mais|instavel)|porque|pois|ja que)\b|(e )?(melhor )?nao (vamos )?(u'
   || 'sar(mos)?|usemos|adotar(mos)?|migrar(mos)?|trocar(mos)?) \S.*\b(porque|pois|ja que)\b)',
   '\b(hoje|agora|por enquanto|ainda|pizza|almoc\w+|os testes)\b',
   'rejected', 3, -1, 0.75, 'active', '',
   'Testamos o Redis para a fila e ele perdeu tarefas.',
   'Hoje não vamos usar o carro porque chove.', 0),
  ('decision.rejected_zh', 'decision', 'zh', 30,
   '^((我们|咱们|我)(之前|以前|已经|曾经|早就|也|都)*(试过|试用过|试了|尝试过|尝试了|测试过|用过|评估过|评估了|放弃了|否决了|排除了|弃用了)\S.*(坏|崩|丢|失败|超时|死锁|泄漏'
   || '|冲突|出错|出问题|报错|卡住|变慢|太慢|太贵|太重|太复杂|不稳定|不行|没用|不支持|扛不住|因为)|(我们|咱们|还是|最好)+(别|不要|不再?)(用|采用|引入|换成|迁移到)\S.*(因为|毕'
   || '竟))',
   '今天|现在|暂时|这次|刚才|一下|吃|披萨|跑测试|试了.次',
   'rejected', 3, -1, 0.75, 'active', '',
   '我们试过用Redis做队列，结果丢了任务。',
   '今天我们不要用车，因为下雨。', 0),
  ('self_error.admitted', 'self_error', 'en', 10,
   '\b(i (made|introduced|caused|had) (a |an |the |another )?(\w+ )?(mistake|error|bug|regression|typo)|my ('
   || 'mistake|error|bad|fault)|i was (wrong|mistaken)|i (misread|misunderstood|overlooked|forgot|broke|mistake'
   || 'nly|accidentally|incorrectly|wrongly)\b|i should(n''?t| not)? have\b|i apologi[sz]e for)',
   '\b(handling|if i (made|was)|unless)\b',
   'self_error', 1, 1, 0.8, 'active', 'failure',
   'I made a mistake in the migration: the column is nullable.',
   'I added error handling for the mistake that users often make.', 0),
  ('self_error.failed', 'self_error', 'en', 20,
   '\b(the|my|that|this) (\w+ )?(command|build|tests?|attempt|approach|edit|patch|fix|script|call|request|mi'
   || 'gration|query|change|import|deployment) (\w+ )?(failed|fails|errored|did(n''?t| not) work|broke|crashed|t'
   || 'imed out|was rejected)\b',
   '\b(no longer|if|when|whenever)\b',
   'self_error', 1, 1, 0.6, 'candidate', 'failure',
   'The build failed because the path in the script does not exist.',
   'When the build failed last year, your team added this check to the pipeline.', 0),
  ('self_error.tried_again', 'self_error', 'en', 30,
   '\b(let me|i''?ll|i will|i am going to|i''?m going to) (try|retry|redo|correct|fix) (again|it again|that ag'
   || 'ain|this again|a different|another|once more|that mistake|my|with a different|it with|that by)\b',
   null,
   'self_error', 1, 1, 0.6, 'candidate', 'learning',
   'Let me try again with the absolute path of the configuration.',
   'You can try again tomorrow with the absolute path of the file.', 0);

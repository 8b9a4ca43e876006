"""How ordinary a word is in general: in how many of a thousand messages it stands.

A file of ten memories cannot tell that "file" and "good" are said everywhere and "heron" is not, so
the gate mixes what it counts in the file with this. Each line holds the stems that stand in about so
many of a thousand texts; a word that is nowhere here is rare. Counted by benchmarks/ordinary_words.py
in talk among friends, meetings, a year of phone messages in two languages, and comments in code.
"""

from __future__ import annotations

_STEMS: dict[float, str] = {
    256.0: ("and in is of the to you "),
    128.0: ("at be for have it on that thi we with "),
    64.0: (
        "a aan abbiamo aber about adalah af ai akan al all alla ama an anch ancora ano ao apa ar "
        "as atau att au auch auf aussi aux av avec avez avoir avon az bagaimana bedankt been bei "
        "benim bent bien bij bin bir bist bitt biz bizim bonjour bu but by byl call can ce cet "
        "cett che chez chi ci ciao co cok combien como con cosa cual cuando cuanto czesc czy da "
        "daha dan dank dann dari dass dat de degli dei dein dekuji del dell della dello dem den "
        "dengan der desd det deze di dia dich dig din dir dit ditt dla dlaczego do dond dort du "
        "durch dziekuj e een ei ein einem einen einer el ela ell eller ello em en encor entr er "
        "es esa eso est esta estan estao esto et etait etr ett etta eu euch evet fait foi fra "
        "fran from fue fur gdzie geen gegen gia gibi gli gracia grazi ha haar habe haben hade hai "
        "hallo hangi hanno har hasta hatt he heb hebben heeft hej het hier hij ho hoe hola hon "
        "hur hva hvad hvem hvor hvordan i ich icin if ihr ik ikk il im ini io isso ist isto itu "
        "ja jag jak je jeg jest jetzt jij jo joo jouw jsou juga julli just juz kami kamu kan kann "
        "kapan kasih kde kdo kdy ke kein kiedi kiito kita know konnen kto kuka kun la le lei leur "
        "like lo loro lub lui ma maar me med mehr meidan mein meinem meinen meiner mengapa merci "
        "merhaba meu mi mich mie miei mig mij mijn mika miksi milloin mina minha minun mio mir "
        "missa mit mita miten mitt moet moj moja moje molto mu mui muito muj mun muss mutta my "
        "myo na naar nach nao nar ne nebo neden nee nein nel nella nered ni nicht nie niet niin "
        "no noch nog noi nosotro nossa nosso nostra nostro not notr nou nu nuestra nuestro nur "
        "nyt o ob obrigada obrigado och od oder og ohn ola olen olet oli om ona ond oni ont onz "
        "ook op or os ou oui ovat pa par para pela pelo perch pero peut photo piu po por pourquoi "
        "pro proc przez push qu qual quand quando quanto que quel quell quella quello quem questa "
        "questo qui quien quoi re s sa salut san sao saya schon se sehr sei sen send senin seu si "
        "siamo siapa sich sie sim sina sind sinun siz ska skal sm so sobr soi soll som somo sono "
        "sont sou su sua sudah sui sul sulla suo sur tack tai tak takk tambem tambien te tem "
        "terima tesekkurl tez there ti tidak tien til time todo tot tou tout tra tre tu tua tuo "
        "ty uber uit um uma un una und uno unser unter untuk up us uz v vad vain van ve veel vem "
        "ver veya vi vil vilken vo voi vom von voor vore votr vou w wa waar waarom wann wanneer "
        "warum wat weil wel welch welcher welk wen wenn wer werden what wie wieso wij wir wird wo "
        "wordt wurd wy y ya yang yeah yo yok your z zaman ze zeer zij zijn zo zu zum zur "
        "był hayır mı nasıl а бы был было быть в вас во вот "
        "все вы где да для до его ему если ещё её же за и "
        "из или к как какая какой когда кто меня мне мои "
        "мой моя моё мы на наш не него нет ни но о он она "
        "они от по почему при привет с сколько со спасибо "
        "так то ты у уже чем что эта это этот я "
    ),
    32.0: (
        "after also ani area base chat check class come connect could detail don even feel first "
        "follow get go good help her here home how img into li ll look make mean more name need "
        "new none note now oh okai onli other out place plan pleas read realli receiv recommend "
        "remind return right see set should some start store such sun take thank thei them then "
        "these thing think todai type uh user veri wai want well when which will work would write "
        "ye "
    ),
    16.0: (
        "activ actual ad afternoon allow alreadi around arrai arrang arriv assist back background "
        "becaus befor better between bit book both build captur case chang citi clear click "
        "collect commun complet core creat creativ current dai data default did differ dinner "
        "discuss doe down dure each end ensur exactli exampl experi explor express famili file "
        "final find finish forward free function gener give gonna got great had hei hi hmm idea "
        "import includ inform inspir interest journal keep kei kind last let level life light "
        "line list local long lot mai materi meet memori mention method might minut mm mom morn "
        "most much must next notif number object ok old open option order organ origin our over "
        "part path payment peopl person phone point practic prepar process provid quit record "
        "reflect regard rememb requir result review room run sai same scene second sens share she "
        "shop small someth sort sound space specif still street string studi style success "
        "successfulli suggest support sure system tabl talk term test text than their theme those "
        "thought three through tonight too true try two understand updat valu version view were "
        "where while who wish without "
        "一下 一个 一些 一定 一次 一步 一点 一起 上午 上的 下午 下来 不仅 不客 不是 不足 不错 "
        "个人 个意 中心 中的 为您 主要 主题 习惯 了一 了解 交流 什么 今天 今日 他们 付成 以及 "
        "们可 休息 作为 你们 你可 你好 你的 你这 使用 保持 信息 健康 储空 关于 关注 关键 其是 "
        "具体 内容 准备 几个 出来 击查 分享 分钟 别是 到了 到你 到的 功提 功支 区家 单已 压力 "
        "及时 发送 另外 可以 可能 同时 同步 后续 周末 喜欢 在家 地方 基础 处理 多了 大概 天的 "
        "好了 好的 如何 如果 存储 学习 安全 安排 完全 完成 实用 客厅 客气 家中 家人 家庭 对于 "
        "对吗 小区 小时 尝试 尤其 就是 工作 已同 已成 已经 市场 希望 帮助 应用 建议 开始 当前 "
        "影响 很多 很好 很有 很高 得很 微信 心里 怎么 思路 您关 您已 您推 您的 情况 想法 意思 "
        "感受 感觉 成功 我们 我刚 我想 我的 我这 或者 手机 技巧 担心 拍摄 接收 接通 推荐 提供 "
        "提到 提前 提升 提醒 摆放 操作 支付 放在 放松 放着 效果 整理 方便 方向 方式 方案 方法 "
        "方面 旁边 早上 时候 时可 时间 明天 明白 是一 是不 是否 是想 是这 晚上 景是 更新 更有 "
        "最好 最近 有什 有效 有没 有点 朋友 期待 本身 机存 材料 来你 来的 查看 核心 根据 桌上 "
        "检查 正在 比如 比较 沟通 没有 注意 注的 活动 清单 清晰 清理 灵感 点击 照片 特别 环境 "
        "现在 理解 生活 白了 的一 的事 的小 的建 的手 的方 的时 的账 的那 目标 直接 看到 看看 "
        "看详 知道 确保 确实 确认 祝你 空间 第一 简单 管理 系统 细节 结合 统通 考虑 聊聊 背景 "
        "能帮 能让 自己 要点 要的 规划 视频 觉得 计划 订单 讨论 让我 记录 设计 试试 详情 详细 "
        "调整 谢你 谢谢 账单 起来 足提 踏实 身体 身就 过程 运动 还是 还有 这个 这么 这些 这份 "
        "这是 这样 这次 这种 进行 适合 选择 通知 通过 避免 那个 部分 里有 重点 重要 金额 针对 "
        "问题 间不 间已 除了 随时 需要 非常 顺利 预计 餐厅 餐桌 高兴 "
    ),
    8.0: (
        "absolut account action add addition adjust advanc again against align along alright "
        "alwai am amount anoth anyth app appli applic approach arg argument articl ask atmospher "
        "attent attribut author avail avoid awai balanc basic becom begin besid best bill bodi "
        "branch break breakfast bring busi calendar care carri caus center charact chines clean "
        "clearer close cloth cloud code coffe color column combin concept concern confirm consid "
        "consist contain content continu control conveni convers corner correct cours creation "
        "custom dad daili deep defin definit depth design desk didn dine direct displai document "
        "doesn done draft drive earli editor effect element email enjoi enough entir error especi "
        "event everi everyth excel except exercis exist expect explan fals father featur felt few "
        "field fill fit flow flower focu focus food form formal format found friend full fulli "
        "futur gather given glad goal green group guess gui guid hand handl happen happi head "
        "hear hello high him histori hold hope hour howev http implement inde independ initi "
        "instanc instead insuffici int integr isn issu item iter itself late later learn leav "
        "left less librari listen littl live locat love lunch made main maintain man manag mani "
        "map mark market match mayb messag mind model modul moment mother move music natur never "
        "night non normal observ off offer often onc onlin oper output own packag page pai paid "
        "paramet parent park pars particularli pass perfect perform perhap perspect photograph "
        "physic plai posit possibl power precis prefer present preserv print probabl product "
        "profession progress project promptli proper purchas put python qualiti question rais "
        "rather readi real recent refer regular relat relax report request respons rest restaur "
        "road said save schedul screen section seem select self semant sent seri serv session "
        "sever short show side simpl sinc singl sit smooth song sorri sourc special specifi "
        "spring standard state step stop storag stori str strict strictli structur suitabl "
        "synchron task tell th togeth tomorrow took topic train transform translat travel trip "
        "truli turn under uniqu univers usual valid video visit wait walk warm watch water week "
        "welcom whether why window within wonder wooden word world worri year yet yourself "
    ),
    4.0: (
        "abl academ accept access accompani accord accuraci achiev across addit address adher "
        "advic aesthet affect ah aid aim alert allei almost although analysi annot anytim apart "
        "appear approxim art asid aspect assign associ attend automat babi bank batteri beauti "
        "bed bedroom behind believ below big blend block blue bought bowl box brand breath "
        "brought budget bui button cach cafe calm came campu car card carefulli central certain "
        "certainli challeng channel chapter chicken china choic choos clarifi clearli client "
        "collabor com comfort command common compani compar compat compil complex comput concret "
        "condit confid construct contact context convert cook cool copi cost cover cross crucial "
        "cup cut date deal dear decid decis decor deeper deepli depend describ descript detect "
        "determin develop digit dimens directli directori discov distanc distribut district door "
        "doubl draw due earlier eas easi eat edit effici egg either els emerg empti encod encount "
        "energi engag english enhanc enter entranc entri environ equip establish estim evalu "
        "everyon excit execut exhibit experienc extens extra ey face fact fail fall fantast fee "
        "feedback figur filter financi fine five fix flexibl float floor forc forget foundat four "
        "fragment frame framework fresh fri front fruit fulfil fund further gain gave gentl gift "
        "god growth guidanc habit half hang hard haven header health heard heart highli highlight "
        "histor hit hot hous huh human id identifi ignor imag imagin immedi improv incorpor "
        "increas incred index indic individu infrequ inner input insid insight instal integ "
        "interact interfac intern interpret invit involv joi join jot kai keyword kitchen "
        "knowledg languag larg layer layout lead least length licens limit link literatur log "
        "logic longer low mainli manner matter member miss mobil mode monei month mr multipl "
        "myself near necessari neck newli nice node nois notebook noth notic noun offic optim "
        "otherwis outlin outsid overal owner pace pack pair paper parti particular past pattern "
        "pen per perfectli period pick piec plant platform pop post pot potenti pre preliminari "
        "pressur pretti price privat problem promot properti propos public publish quickli quiet "
        "rain rang rate reach reader reason red reduc refin rel releas remain remot remov replac "
        "repres research reserv reson resourc revis rich root rout routin safe sale sampl saw "
        "scan scatter schema school search season secur seek seen separ sequenc server servic "
        "shadow shape shoulder sign signal signific similar simpli site situat size skill sleep "
        "slow social solid someon sometim soon speech spend spent spot stage stai stand station "
        "strategi stream strength stretch strong studio stuff suddenli summari systemat tag taken "
        "target tast tea team techniqu terminolog textur theori third though thread tip titl "
        "token tone tool top total touch toward track traffic transfer transit treat tree trend "
        "trendi tri typic understood unifi uninstal until usag valuabl variabl veget via visibl "
        "visual voic wall wanna wear weather wed weekend weight went western white whole winter "
        "won worth wow wrap writer written wu yep yesterdai zero "
    ),
    2.0: (
        "abil abov abstract accomplish accumul accur act adapt adopt advantag afraid ag agre "
        "ahead air allevi alloc alon altern amaz among analyz anchor angl anim annual answer "
        "anticip anymor anywai api appeal appoint appreci appropri architectur archiv aren artist "
        "assess assum attach attempt attract audienc august authent averag awar axi backup "
        "backward bad bag bar batch bean behavior beyond birthdai black board boss bound boundari "
        "bridg brief bright broader brother brown brows bsd buffer built bullet burn bye cake "
        "calcul camera cancel cannot capabl cast casual cat catch categori celebr chain chair "
        "charg child children circl classic coach cold colour comment commerci commut comparison "
        "complic compon composit comprehens conduct configur conflict confus congratul consider "
        "consult consum contract contrast convei coordin copyright correspond couldn count "
        "counter coupl cozi creator credit cycl decemb declar dedic def delai delic delici "
        "delight deliv deliveri demonstr depart desir devic dialogu dictionari disabl discount "
        "discoveri distant distinct divid doc doctor dog domain dream drink drop dry dual duck "
        "durat dynam easier easili edg effort electron emphas enabl encourag equal equival era "
        "essenc essenti etc ever everybodi everydai examin exceed exchang exclus exhaust exit "
        "expand expans expens explain extend extern extract extrem fade familiar fan far fashion "
        "fast favorit feasibl festiv fiction fight filenam film fish flag flat flavor flight flip "
        "fold foot frequenc frequent freshli friendli fun func game garden gate genuin girl "
        "girlfriend glass global glow goe gone gradual graduat grand greater ground grow hall hat "
        "healthi heavi hidden higher honei hook hospit host hotel html ideal ident ii impact "
        "impress incom industri infer info ingredi insert inspect instantli intens intent "
        "interview introduc introduct introspect inventori invest jacket job joint juli june kept "
        "kid kinda known label lack lai lamp lane laptop latest laugh launch lean leg len liter "
        "liu load london loop lose lost lower lu machin major marri master max meaning meant "
        "measur meat media medic memo mental merchant mere met metadata metaphor micro mid middl "
        "min mix modern modifi monthli mood motiv movement movi multi nail nation neg nest net "
        "network north novemb obtain occasion occur octob offici onto ooh opportun oral ordinari "
        "overlap overrid pain paragraph parser particip passion percept perk persist phase phrase "
        "pickl pictur plain plane planner plate pleasant plu plugin pm poetri popular press "
        "prevent previou previous primarili principl priorit proactiv proce produc professor "
        "program promis properli protect protocol pull pure purpos quick quot realiz recip recogn "
        "recognit recoveri recurs region regist relationship relev reli remark render repeat "
        "repli represent resolv respect reward ring risk river roll roller round row rule rush "
        "safeti sat satisfact satisfi saturdai scale scheme scope script seat segment sell sensit "
        "sentenc septemb settl setup seven shift shoot shot shouldn signatur silent sister six "
        "skate sketch skip sky slice slightli slowli smile smoothli snack soft softwar somebodi "
        "somewhat sore spatial speak speaker spec speed spiritu split sport spread st stabil "
        "stabl stack stall statement static statu stick stock stone stress strip stuck student "
        "subject submit subsequ subtl sudden suffici sugar suit summer suppli suppos surfac "
        "surpris surround sweet switch sy symbol ta tangibl tape teacher technolog temperatur "
        "templat ten tension termin themselv theoret thesi thorough ticket tidi tire toi told "
        "tomato town trace tradit trail transact transport trigger twenti ultim uncertain unit "
        "unless unsur upgrad upon upper url util vagu variou vegetarian verifi vibrant volum warn "
        "wash wasn wednesdai weekli whatev wheel whisper whoa wind woman workshop wouldn wrong "
        "wrote xx xxx yellow yield young "
    ),
    1.0: (
        "accessori accommod accordingli advis advisor afterward ago airport algorithm alongsid "
        "anybodi anyon appl approv april arm ascii asleep audio aunt auto avenu await bai ball "
        "banana band basi bathroom bear belong ben benefit binari bind bird blank blind boat boi "
        "boil boost borrow brainstorm breast brew briefli brilliant broadcast broken bug bunch "
        "burden cabinet caller camp career cash categor caught certif chanc char characterist "
        "charger chart checker chest chip chose chosen cl claim clariti classroom clip clock "
        "closer club coat coeffici colleg commit compress conceptu conclus confer consol constant "
        "constraint consumpt contribut cooki cooper correctli couch countri craft crazi critic "
        "crowd curv cute danc dark databas deadlin debug decod degre delet deliber demand deriv "
        "dialect difficult digest dimension disappear disrupt dot download dr drawn dress dump "
        "duplic eager ear east echo educ eh eight elabor embed emit emphasi engin enrich escap "
        "evid evok exact exam excus expert explicit explicitli expr factor factori failur fascin "
        "faster fat februari feet fei financ fire folder folk fridai funni gang gap gear grab "
        "grain grasp guarante guest gym han hash hasn heat held hell helper hint holidai honor "
        "huge hundr hurri hurt hypothesi ic iii illumin illustr impli importantli inher inherit "
        "injuri innov inquir instruct insur intend interior internet interrupt intersect intuit "
        "invis ip januari japanes jog judg jump kate keen kick knew labor laid land larger lectur "
        "legaci lesser lesson letter lie lift lightweight linger lock logist logo loss luck ly "
        "macro mail mainten manual march marker mask mat math matrix maximum mechan medium men "
        "menu merg meta meter microphon mileston mine minim minimalist minimum minor mirror moder "
        "mon mondai monitor moreov ms museum narrow nativ navig nd necessarili negoti neighbor "
        "neighborhood neither nich nine noon novel num numer offset older opinion opt orang "
        "orient overli overload overlook overwhelm pad pan pant partial partner paus peak pend "
        "pepper percent pile pleasur plenti polici polish pool port portion precaut preview "
        "primari prioriti procedur procur profit prompt proof psycholog pursu quarter queri "
        "random rare ratio raw rd reaction readabl receipt recharg recipi recov referenc refresh "
        "registr regularli reliabl renew rent repair repositori resid resist respond restor "
        "restrict retain retriev retro reveal revers ride rise role roommat rose rough roughli "
        "rubber salad scenario scienc scientif scroll seed serial seriou serious shall sharp "
        "shine ship shirt shoe shower shutdown significantli silenc simultan slide slight slot "
        "smaller smart smell snow socket sofa sole solut solv somewher son south spare spirit "
        "squar staff star steadi stem straight strain strike struggl sub submiss subwai sum "
        "summar sundai supplement suppress syntax tap tax teach technic televis temporari "
        "temporarili tend tent thirti thoroughli throughout throw thu tight toast tour tourist "
        "trait transcrib transcript trial troubl trust truth tuesdai tune turtl tv twice "
        "uncertainti uncomfort underli unexpect unknown var vari varieti vendor verif vital vocal "
        "wake weird west wh whose wide width wife wild worker wrapper zip zone "
    ),
}
FEW = 40  # words; a hook asks for fewer, and to take the lines apart takes as long as forty looks
_table: list[dict[str, float]] = []  # the lines taken apart, once that is done
_known: dict[str, float] = {}  # what was asked for comes again
_MOST_KNOWN = 10_000
_NUMBERS = {1: 16.0, 2: 16.0, 4: 4.0}  # by their digits: a count or a day, and a year


def per_thousand(stem: str) -> float:
    """In about how many of a thousand texts a stem stands; 0 for a rare one."""
    found = _known.get(stem)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[stem] = _looked_up(stem)
    return found


def _looked_up(stem: str) -> float:
    if stem.isdigit():
        return _NUMBERS.get(len(stem), 2.0)
    if stem and all("ぁ" <= c <= "ゟ" for c in stem):
        return 64.0  # hiragana alone: endings and particles
    if len(_known) >= FEW:
        if not _table:
            # As a whole: another thread may look at it meanwhile.
            _table.append({one: many for many, stems in _STEMS.items() for one in stems.split()})
        return _table[0].get(stem, 0.0)
    wanted = f"{stem} "
    for many, stems in _STEMS.items():
        if f" {wanted}" in stems or stems.startswith(wanted):
            return many
    return 0.0

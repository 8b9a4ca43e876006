"""The words by which a prompt is told from another: who asks, about what was, or for something new.

English and a little Chinese; a prompt in another language has no marks and needs none.
"""

from __future__ import annotations

SIGNS = "\"'`.,;:!?()[]{}<>*~|=+…“”‘’«»、。，！？；：（）「」『』【】《》·—–-#/\\"
FIRST = frozenset("i my me mine we our us".split())
FIRST_CJK = "我咱"
PAST = frozenset(
    "did was were had said told mentioned discussed remember earlier before previously ago"
    " recently".split()
)
TIME = frozenset(
    "time week weekend month year night summer winter spring autumn january february march april may june"
    " july august september october november december monday tuesday wednesday thursday friday saturday"
    " sunday".split()
)
PAST_PAIRS = frozenset(
    [("have", "i"), ("have", "we"), ("so", "far")]
    + [("last", one) for one in TIME]
    + [(one, "last") for one in ("i", "we", "he", "she", "they")]
)
PAST_CJK = ("过", "了", "曾", "上次", "之前")
QUESTION = frozenset("what when where which who whom whose why how".split())
ENDS = ("?", "？", "؟")  # in any language
EXCLAIMS = ("!", "！")
WHO_HAS = frozenset("i we you they the our my your any all both there".split())
VERB_FIRST = frozenset("did do does have has is was were are am".split())  # opens a question, too
MODAL = frozenset("should can could would shall may will".split())
WE = frozenset(["i", "we"])
WE_OR_YOU = frozenset(["i", "we", "you"])
HERE = frozenset("this these here".split())  # what the agent has before it
HERE_CJK = "这"
ARTICLE = frozenset(["a", "an", "the"])
# Words of German that English writes alike; there they say nothing.
GERMAN_TOO = frozenset("die hat war man was will also".split())
# A prompt with one of these is German, which writes every noun like a name.
GERMAN = frozenset(
    "der das und ist ein eine einen ich nicht wie wo wann wer hat mit für auf dem zu von welche"
    " welcher welches wir sich mein meine unser".split()
)
# What makes a sentence of a noun that could be a request: "map tiles are …", and not "map the tiles that are …".
FINITE = frozenset("is are was were has have had may must can will should does do".split())
BOUND = frozenset(
    "a an the this that these those my our your his her its their all any every each some it them me us him"
    " if whether that which who what when where how why and or so as until while".split()
)
OPENING = frozenset("please now then ok okay and just hey so lets".split())
OPENING_PAIRS = frozenset(
    [
        ("can", "you"),
        ("could", "you"),
        ("would", "you"),
        ("will", "you"),
        ("let", "us"),
        ("let", "s"),
        ("help", "me"),
    ]
)
# Verbs with which people ask for something to be done, in an editor, a shell, or on paper.
COMMANDS = frozenset(
    """
    add adjust align amend analyse analyze append apply approve assign benchmark book build bump buy
    calculate call cancel cat cd change check cherry choose clean clear click clone close code combine
    comment commit compare compile complete compose compress compute configure connect continue
    convert copy correct count create curl cut debug define delete deploy describe design disable
    display docker download draft draw drop dump edit empty enable exclude execute expand explain
    export extract fetch fill find finish fix flip format generate git give go grade grep guess handle
    hide highlight implement import improve include increase inline insert inspect install invent join
    keep kill kubectl launch learn lint list load log look lower make map mark measure merge migrate
    mock modify monitor move name navigate normalise normalize npm open optimise optimize order
    organise organize output paint parse paste patch pause pick pin ping pip plan play plot polish
    port post prepare print profile proofread publish pull push put pytest query quote raise read
    rebase recommend record redo reduce refactor reformat refresh regenerate reload remind remove
    rename render reopen reorder repeat rephrase replace replay report reproduce request rerun reset
    resolve restart restore resume retry return reverse revert review rewrite roll rotate round run
    save schedule scroll search seed select send set shorten show simplify sing skip solve sort split
    squash start stop store style submit suggest sum summarise summarize surprise swap switch sync tag
    tail take teach tell terraform test tidy toggle train transcribe translate trim try turn type undo
    uninstall update upgrade upload use validate verify wait wake walk watch wrap write zip
    """.split()
)
# What says in a statement that something is not as it should be.
TROUBLE = frozenset(
    """
    not no nothing nobody none never neither without cannot cant couldn doesn don didn isn aren wasn hasn haven
    unable fail fails failed failing failure error errors bug broken broke breaks
    crash crashes crashed crashing wrong wrongly bad badly missing misses missed lost lose loses losing stuck slow
    slowly late hang hangs hung frozen freezes blank duplicate duplicated duplicates twice corrupt corrupted
    invalid refused refuses rejected rejects denied timeout timeouts unexpected unexpectedly strange weird odd
    although complain complains complained complaint complaints report reports reported
    nicht kein keine keinen nichts nie niemand fehlt fehlen fehler falsch kaputt langsam
    pas rien jamais aucun aucune erreur panne faux manque nada nunca ningún ninguna falla roto lento
    """.split()
)
FAMILY = frozenset(
    "张李王刘陈杨赵黄周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范"
    "江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚"
    "邬缪鞠阙逄仇"
)
FAMILY_PAIRS = frozenset(
    "欧阳 司徒 诸葛 上官 皇甫 慕容 端木 尉迟 令狐 司马 东方 夏侯 宇文 长孙 公孙 轩辕".split()
)
AFTER_A_NAME = frozenset(
    "的是在和与跟去有说喜最什上住今昨要把给为买做吃开到生叫平从对几多哪怎推送养考搬"
)

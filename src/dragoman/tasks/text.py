"""Tasks over text."""

from dragoman.tasks.spec import Parameter, TaskSpec, out, text

_LABELS = Parameter(name="labels", type="list", is_required=True, says="the classes to choose from")
_TEXT = out("text", "text")

SPECS = (
    TaskSpec(
        name="text-classification",
        family="text",
        description="Say which class a text belongs to; without other classes, its sentiment (positive or negative).",
        slots=(text(),),
        outputs=(out("labels", "data", "[{label, score}], best first"),),
    ),
    TaskSpec(
        name="zero-shot-classification",
        family="text",
        description="Sort a text into classes that the person names.",
        slots=(text(),),
        parameters=(_LABELS,),
        outputs=(out("labels", "data", "[{label, score}], best first"),),
    ),
    TaskSpec(
        name="token-classification",
        family="text",
        description="Find the named entities in a text: people, places, organisations, dates, amounts.",
        slots=(text(),),
        outputs=(
            out(
                "entities",
                "data",
                "[{entity_group, word, start, end, score?}]; entity_group: PERSON, ORG, GPE, DATE, …",
            ),
        ),
    ),
    TaskSpec(
        name="feature-extraction",
        family="text",
        description="Turn a text into a vector that stands for its meaning.",
        slots=(text(takes_many=True),),
        outputs=(out("vectors", "data", "[[float]], one per text, unit length"),),
    ),
    TaskSpec(
        name="fill-mask",
        family="text",
        description="Guess the word that is masked out of a sentence.",
        slots=(text(),),
        outputs=(out("labels", "data", "[{label, score}], best first"),),
    ),
    TaskSpec(
        name="sentence-similarity",
        family="text",
        description="Say how close in meaning texts are to the first one.",
        slots=(text(takes_many=True, says="the first is the reference"),),
        outputs=(out("similarity", "data", "[{text, score}] for the second text on, score -1..1"),),
    ),
    TaskSpec(
        name="text2text-generation",
        family="text",
        description="Rewrite a text as an instruction says: paraphrase, simplify, correct.",
        slots=(text(),),
        outputs=(_TEXT,),
    ),
    TaskSpec(
        name="text-generation",
        family="text",
        description="Write new text from a prompt: a story, a poem, an article, a continuation.",
        slots=(text(),),
        outputs=(_TEXT,),
    ),
    TaskSpec(
        name="conversational",
        family="text",
        description="Talk with the person: an opinion, advice, small talk.",
        slots=(text(),),
        outputs=(_TEXT,),
    ),
    TaskSpec(
        name="summarization",
        family="text",
        description="Shorten a text to what matters in it.",
        slots=(text(),),
        parameters=(Parameter(name="sentences", type="integer", says="how many sentences are wanted"),),
        outputs=(_TEXT,),
    ),
    TaskSpec(
        name="translation",
        family="text",
        description="Put a text into another language.",
        slots=(text(),),
        parameters=(
            Parameter(name="target", type="language", is_required=True, says="language wanted, BCP 47"),
            Parameter(name="source", type="language", says="language of the text, BCP 47"),
        ),
        outputs=(_TEXT,),
    ),
    TaskSpec(
        name="question-answering",
        family="text",
        description="Answer a question from a text that is given.",
        slots=(text(says="the question"), text("context", says="the text that holds the answer")),
        outputs=(_TEXT, out("span", "data", "{answer, sentence, start, end, score}")),
    ),
)

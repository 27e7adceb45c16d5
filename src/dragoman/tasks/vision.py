"""Tasks over pictures and documents."""

from dragoman.tasks.spec import Parameter, Slot, TaskSpec, image, out, text

_LABELS = out("labels", "data", "[{label, score, group?}], best first")
_BOXES = out(
    "boxes",
    "data",
    "{boxes: [{label, score, box: [x0, y0, x1, y1]}], counts: {label: n}}; pixels of the upright picture",
)
_ANNOTATED = out("annotated", "image", "the picture with what was found drawn in")
_TEXT = out("text", "text")
_WANTED = Parameter(name="labels", type="list", is_required=True, says="what to look for")
_PAGE = Slot(name="image", kinds=("image", "document"), says="a picture or a document")

SPECS = (
    TaskSpec(
        name="image-classification",
        family="vision",
        description="Say what kind of thing a picture shows: animal, object, scene.",
        slots=(image(),),
        outputs=(_LABELS,),
    ),
    TaskSpec(
        name="zero-shot-image-classification",
        family="vision",
        description="Sort a picture into classes that the person names.",
        slots=(image(),),
        parameters=(_WANTED,),
        outputs=(_LABELS,),
    ),
    TaskSpec(
        name="image-feature-extraction",
        family="vision",
        description="Turn pictures into vectors; of several, say how like the first the others are.",
        slots=(image(takes_many=True, says="the first is the reference"),),
        outputs=(
            out("likeness", "data", "[{name, score}] for the second picture on, score -1..1"),
            out("vectors", "data", "[[float]], one per picture, unit length"),
        ),
    ),
    TaskSpec(
        name="image-to-text",
        family="vision",
        description="Describe a picture in words: a caption.",
        slots=(image(), text(says="what to look for", is_required=False)),
        outputs=(_TEXT, out("evidence", "data", "what the caption rests on")),
    ),
    TaskSpec(
        name="visual-question-answering",
        family="vision",
        description="Answer a question about a picture.",
        slots=(image(), text(says="the question")),
        outputs=(_TEXT, out("evidence", "data", "what the answer rests on")),
    ),
    TaskSpec(
        name="document-question-answering",
        family="vision",
        description="Answer a question about a scanned page, form, invoice or document.",
        slots=(_PAGE, text(says="the question")),
        outputs=(_TEXT, out("span", "data", "{answer, line, box, score}")),
    ),
    TaskSpec(
        name="object-detection",
        family="vision",
        description="Find the objects in a picture, where they are and how many.",
        slots=(image(),),
        outputs=(_BOXES, _ANNOTATED),
    ),
    TaskSpec(
        name="zero-shot-object-detection",
        family="vision",
        description="Find the things that the person names in a picture.",
        slots=(image(),),
        parameters=(_WANTED,),
        outputs=(_BOXES, _ANNOTATED),
    ),
    TaskSpec(
        name="image-segmentation",
        family="vision",
        description="Cut a picture into its parts or cut out an object: masks.",
        slots=(image(),),
        parameters=(Parameter(name="labels", type="list", says="what to cut out"),),
        outputs=(out("segments", "data", "[{label, score, box, area}]"), out("mask", "image")),
    ),
    TaskSpec(
        name="mask-generation",
        family="vision",
        description="Make a mask for each thing inside given boxes.",
        slots=(image(),),
        parameters=(Parameter(name="boxes", type="data", says="boxes in pixels"),),
        outputs=(out("segments", "data", "[{box, area}]"), out("mask", "image")),
    ),
    TaskSpec(
        name="keypoint-detection",
        family="vision",
        description="Find people, faces and hands and their points: body pose, landmarks.",
        slots=(image(),),
        outputs=(out("points", "data", "{people, faces, hands}"), _ANNOTATED),
    ),
    TaskSpec(
        name="optical-character-recognition",
        family="vision",
        description="Read the text that is written in a picture or a scanned document.",
        slots=(_PAGE,),
        outputs=(_TEXT, out("lines", "data", "[{text, box, score}], in reading order")),
    ),
    TaskSpec(
        name="depth-estimation",
        family="vision",
        description="Say how far away each part of a picture is: a depth map.",
        slots=(image(), image("right", says="second view of a stereo pair", is_required=False)),
        outputs=(out("depth", "image"), out("depths", "data", "{min, max, median, unit}")),
    ),
    TaskSpec(
        name="image-to-image",
        family="vision",
        description="Change a picture into another: enlarge, sharpen, restore, restyle, edit.",
        slots=(image(), text(says="what to change", is_required=False)),
        parameters=(Parameter(name="scale", type="number", says="how many times larger"),),
        outputs=(out("image", "image"),),
    ),
    TaskSpec(
        name="text-to-image",
        family="vision",
        description="Make a new picture from a description: paint, draw, generate.",
        slots=(text(),),
        outputs=(out("image", "image"),),
    ),
)

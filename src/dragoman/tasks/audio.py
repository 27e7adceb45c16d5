"""Tasks over sound and speech."""

from dragoman.tasks.spec import Parameter, TaskSpec, audio, out, text

_LABELS = out("labels", "data", "[{label, score}], best first")

SPECS = (
    TaskSpec(
        name="text-to-speech",
        family="audio",
        description="Read a text aloud: speech in a sound file.",
        slots=(text(),),
        parameters=(
            Parameter(name="target", type="language", says="language of the voice, BCP 47"),
            Parameter(name="voice", says="name of the voice"),
        ),
        outputs=(out("speech", "audio"),),
    ),
    TaskSpec(
        name="automatic-speech-recognition",
        family="audio",
        description="Write down what is said in a recording, with times: a transcript.",
        slots=(audio(),),
        outputs=(
            out("text", "text"),
            out("segments", "data", "{language, duration_s, segments: [{start_s, end_s, text}]}"),
        ),
    ),
    TaskSpec(
        name="audio-classification",
        family="audio",
        description="Say which sounds are in a recording: speech, music, animals, machines.",
        slots=(audio(),),
        outputs=(_LABELS,),
    ),
    TaskSpec(
        name="zero-shot-audio-classification",
        family="audio",
        description="Sort a recording into classes that the person names.",
        slots=(audio(),),
        parameters=(Parameter(name="labels", type="list", is_required=True, says="the classes to choose from"),),
        outputs=(_LABELS,),
    ),
    TaskSpec(
        name="voice-activity-detection",
        family="audio",
        description="Find when somebody speaks in a recording.",
        slots=(audio(),),
        outputs=(out("segments", "data", "[{start_s, end_s}]"),),
    ),
    TaskSpec(
        name="audio-to-audio",
        family="audio",
        description="Clean or change a recording: remove noise, enhance speech.",
        slots=(audio(), text(says="what to change", is_required=False)),
        outputs=(out("audio", "audio"),),
    ),
)

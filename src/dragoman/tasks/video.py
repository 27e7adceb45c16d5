"""Tasks over video."""

from dragoman.tasks.spec import TaskSpec, out, text, video

SPECS = (
    TaskSpec(
        name="video-classification",
        family="video",
        description="Say what a video shows.",
        slots=(video(),),
        outputs=(out("labels", "data", "[{label, score}], best first"),),
    ),
    TaskSpec(
        name="text-to-video",
        family="video",
        description="Make a new video from a description.",
        slots=(text(),),
        outputs=(out("video", "video"),),
    ),
)

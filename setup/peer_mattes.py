"""Two recipes of 2026 for mattes of people, rebuilt from their descriptions for `make bench`.

Each class makes the matte of a frame, 0...1, from RGB, with mediapipe's landscape network. Images are not
kept, but for what the recipe itself remembers.
"""
import cv2
import numpy


class LiveBackgroundRemoval:
    """live-backgroundremoval-lite, the successor of OBS's background removal.

    Every fourth row and column of luma, at 1080p, is the small picture. The network sees the frame letterboxed
    in 256x144, where the small picture has changed by a mean square of 1e-4 since it last did. A guided filter
    (17x17, epsilon 1e-4) of the small picture finds the edge; its coefficients are scaled up bilinearly. A
    quarter of each matte is new. Contrast follows: a power of 2.5 and a smooth step from .0562 to .9438.

    Smaller frames are thinned out less, so that the filter covers about as much of them as at 1080p; with
    every fourth row of 360 it makes faces transparent.
    """

    def __init__(self, selfie):
        self.selfie = selfie
        self.seen = self.mask = self.average = None

    def matte(self, picture):
        luma = picture.astype(numpy.float32) @ numpy.float32([0.2126, 0.7152, 0.0722]) / 255
        step = max(1, round(luma.shape[0] / 270))
        small = numpy.ascontiguousarray(luma[::step, ::step])
        if self.seen is None or numpy.mean((small - self.seen) ** 2) >= 1e-4:
            self.seen, self.mask = small, self.segment(picture, small.shape)
        box = lambda values: cv2.boxFilter(values, cv2.CV_32F, (17, 17))
        mean, target = box(small), box(self.mask)
        slope = (box(small * self.mask) - mean * target) / (box(small * small) - mean * mean + 1e-4)
        offset = target - slope * mean
        size = luma.shape[::-1]
        matte = cv2.resize(box(slope), size) * luma + cv2.resize(box(offset), size)
        matte = numpy.clip(matte, 0, 1)
        if self.average is not None:
            matte = self.average + 0.25 * (matte - self.average)
        self.average = matte
        x = numpy.clip((matte ** 2.5 - 0.0562) / (1 - 2 * 0.0562), 0, 1)
        return x * x * (3 - 2 * x)

    def segment(self, picture, shape):
        height, width = picture.shape[:2]
        scale = min(256 / width, 144 / height)
        inner = (round(width * scale), round(height * scale))
        left, top = (256 - inner[0]) // 2, (144 - inner[1]) // 2
        boxed = numpy.zeros((144, 256, 3), numpy.uint8)
        boxed[top:top + inner[1], left:left + inner[0]] = cv2.resize(picture, inner)
        mask = self.selfie.process(boxed).segmentation_mask
        mask = mask[top:top + inner[1], left:left + inner[0]]
        return cv2.resize(mask, shape[::-1], interpolation=cv2.INTER_NEAREST)


class Jitsi:
    """Jitsi Meet's first version, which is the default.

    The network sees the frame in 256x144; its mask in 8 bits is scaled up bilinearly and blurred with a
    deviation of 4 pixels.
    """

    def __init__(self, selfie):
        self.selfie = selfie

    def matte(self, picture):
        mask = self.selfie.process(cv2.resize(picture, (256, 144))).segmentation_mask
        mask = (numpy.clip(mask, 0, 1) * 255).astype(numpy.uint8)
        mask = cv2.resize(mask, picture.shape[1::-1])
        return cv2.GaussianBlur(mask, (0, 0), 4).astype(numpy.float32) / 255


RECIPES = {"lite": LiveBackgroundRemoval, "jitsi": Jitsi}

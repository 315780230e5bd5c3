"""Whether a film's file holds together, by its container's own bookkeeping and without decoding.

Demuxers step over what they do not understand, and say nothing of it. `check` walks from one unit
of the container to the next, reads no more than their headers, and finds where a unit is cut off,
is none, or is missing by its number. What lies inside the units is the decoders' affair.

Sources: RFC 8794 and RFC 9559 (Matroska), ISO/IEC 14496-12 (MP4), Microsoft's "AVI RIFF File
Reference", RFC 3533 (Ogg), Adobe's "Video File Format Specification" 10.1 (FLV), ISO/IEC 13818-1
(MPEG transport streams).
"""

import os
import re
import struct
import zlib


class Damage(Exception):
    """What is wrong with the file, in words for the user."""


def check(path, kind):
    """Raises Damage where the file at `path` is not whole; `kind` is the type GStreamer found, as
    video/webm. Types that are not known here are taken for whole.

    Returns how many frames the container holds, 0 where it does not say."""
    walk = WALKS.get(kind)
    if walk is None:
        return 0
    try:
        with open(path, "rb") as file:
            return walk(file, os.fstat(file.fileno()).st_size) or 0
    except (struct.error, IndexError):  # a header that is not all there
        raise Damage("its end is missing") from None


def check_end(end, size):
    if end > size:
        raise Damage(f"its last {end - size} bytes are missing")


def broken(place):
    return Damage(f"what stands at byte {place} is no part of a film")


# Matroska and WebM: elements of an identifier, a size and contents.
SEGMENT, CLUSTER = 0x18538067, 0x1F43B675
TOP = {
    0x114D9B74, 0x1549A966, 0x1654AE6B, CLUSTER, 0x1C53BB6B, 0x1941A469, 0x1043A770, 0x1254C367,
}
ANYWHERE = {0xEC, 0xBF}  # padding, checksum
IN_CLUSTER = {0xE7, 0xA3, 0xA0, 0xA7, 0xAB, 0x5854, 0xAF} | ANYWHERE


def number(file, longest, keeps_marker):
    """A number of as many bytes as the zero bits before its first one say; None for "unknown"."""
    place = file.tell()
    first = file.read(1)[0]
    length = 9 - first.bit_length()
    if length > longest:
        raise broken(place)
    rest = file.read(length - 1)
    if len(rest) < length - 1:
        raise IndexError
    value = int.from_bytes(bytes([first]) + rest, "big")
    if keeps_marker:
        return value
    value &= (1 << 7 * length) - 1
    return None if value == (1 << 7 * length) - 1 else value


def walk_matroska(file, size):
    end, cluster_end = size, None  # of the segment; of the cluster, where that is known
    in_cluster = False
    while (place := file.tell()) < min(end, size):
        if place == cluster_end:
            in_cluster, cluster_end = False, None
        name, length = number(file, 4, True), number(file, 8, False)
        start = file.tell()
        if name == SEGMENT:
            if length is not None:
                end = start + length
                check_end(end, size)
            continue
        if name == CLUSTER and cluster_end is None:
            in_cluster, cluster_end = True, None if length is None else start + length
            check_end(cluster_end or 0, size)
            continue
        # A cluster of unknown size ends where the next part of the segment begins.
        if in_cluster and cluster_end is None and name in TOP:
            in_cluster = False
        if length is None or in_cluster and name not in IN_CLUSTER:
            raise broken(place)
        if cluster_end is not None and start + length > cluster_end:
            raise broken(place)
        check_end(start + length, size)
        file.seek(start + length)


def walk_mp4(file, size):
    """Only whether the boxes reach beyond the end: their tables tell the demuxer the rest."""
    place = 0
    while place + 8 <= size:
        file.seek(place)
        length, name = struct.unpack(">I4s", file.read(8))
        if length == 1:
            length = struct.unpack(">Q", file.read(8))[0]
        if length == 0 or not re.fullmatch(rb"[ -~\xa9]{4}", name):
            return  # to the end of the file; or padding, as some cameras write
        place += max(length, 8)
    check_end(place, size)


# What a film is made of, by stream; an index; padding.
AVI_DATA = re.compile(rb"[0-9]{2}[a-z]{2}|ix[0-9]{2}|JUNK|junk|idx1")


def walk_avi(file, size):
    place = riff_end = data_end = streams = promised = counted = empty = 0
    video = None  # the first two letters of its chunks
    while place + 8 <= size:
        file.seek(place)
        name, length = struct.unpack("<4sI", file.read(8))
        if place >= riff_end and name != b"RIFF" and riff_end:
            break  # what follows the film is nobody's business
        end = place + 8 + length
        if name in (b"RIFF", b"LIST"):
            kind = file.read(4)
            check_end(end, size)
            riff_end = end if name == b"RIFF" else riff_end
            data_end = end if kind == b"movi" else data_end
            # Lists are entered, save those of words about the film.
            place = end + length % 2 if kind in (b"INFO", b"odml") else place + 12
            continue
        if not re.fullmatch(AVI_DATA if place < data_end else rb"[ -~]{4}", name):
            raise broken(place)
        if name == b"strh":
            header = file.read(36)
            if header[:4] == b"vids" and video is None:
                video, promised = b"%02d" % streams, struct.unpack_from("<I", header, 32)[0]
            streams += 1
        elif place < data_end and name[:2] == video and name[2:] in (b"dc", b"db"):
            counted += 1
            empty += length == 0  # the frame before stays
        check_end(end, size)
        place = end + length % 2
    if counted < promised:
        raise Damage(f"its header counts {promised} frames, and {counted} are there")
    return counted - empty


MIRRORED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def ogg_checksum(page):
    """zlib knows the polynomial mirrored, and inverts what it begins and ends with."""
    value = zlib.crc32(page.translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return value.to_bytes(4, "little").translate(MIRRORED)


def walk_ogg(file, size):
    last, place, has_ended = {}, 0, False
    while place < size:
        header = file.read(27)
        if header[:4] != b"OggS":
            raise broken(place)
        flags, serial, count = header[5], header[14:18], header[26]
        page = int.from_bytes(header[18:22], "little")
        lengths = file.read(count)
        body = file.read(sum(lengths))
        check_end(place + 27 + count + sum(lengths), size)
        if ogg_checksum(header[:22] + bytes(4) + header[26:] + lengths + body) != header[25:21:-1]:
            raise Damage(f"the page at byte {place} does not have the checksum that it says")
        if serial in last and page != last[serial] + 1 and not flags & 2:
            raise Damage(f"pages are missing before byte {place}")
        last[serial] = page
        # Some muxers mark the end of but one of the streams. Another film may follow.
        has_ended = not flags & 2 and (has_ended or flags & 4 != 0)
        place += 27 + count + len(body)
    if not has_ended:
        raise Damage("its end is missing")


def walk_flv(file, size):
    place = int.from_bytes(file.read(9)[5:9], "big") + 4
    while place < size:
        file.seek(place)
        header = file.read(11)
        if header[0] & 0x1F not in (8, 9, 18):
            raise broken(place)
        end = place + 11 + int.from_bytes(header[1:4], "big")
        check_end(end, size)
        # What follows a tag repeats its size; some writers count without the header, or leave 0.
        file.seek(end)
        back = file.read(4)
        if len(back) == 4 and int.from_bytes(back, "big") not in (end - place, end - place - 11, 0):
            raise broken(place)
        place = end + 4


def packets(file):
    """Where the packets of a transport stream begin, and how far they are from each other."""
    head = file.read(204 * 64)
    for start in range(204):
        for step in (188, 192, 204):
            five = head[start:start + 4 * step + 1:step]
            if five == b"\x47" * 5:
                return start, step
    raise broken(0)


def walk_transport_stream(file, size):
    start, step = packets(file)
    if start != (4 if step == 192 else 0):
        raise broken(0)
    last, owed = {}, {}  # by stream: its latest packet's number; bytes that its latest unit lacks
    file.seek(start)
    place = start
    while block := file.read(step * 4096):
        for at in range(0, len(block) - 187, step):
            flags, control = block[at + 1], block[at + 3]
            if block[at] != 0x47 or flags & 0x80:
                raise broken(place + at)
            name = (flags & 0x1F) << 8 | block[at + 2]
            if name == 0x1FFF or not control & 0x10:
                continue
            count, before = control & 15, last.get(name)
            if count == before:
                continue  # a packet may come twice
            extra = 1 + block[at + 4] if control & 0x20 else 0
            jumps = extra > 1 and block[at + 5] & 0x80
            if before is not None and count != (before + 1) & 15 and not jumps:
                raise Damage(f"packets are missing before byte {place + at}")
            last[name] = count
            data = at + 4 + extra
            if flags & 0x40:
                length = block[data + 4] << 8 | block[data + 5]
                owed[name] = length + 6 if length and block[data:data + 3] == b"\0\0\1" else 0
            owed[name] = max(0, owed.get(name, 0) - (at + 188 - data))
        place += len(block)
    if (size - start) % step not in (0, 188) or any(owed.values()):
        raise Damage("its end is missing")


WALKS = {
    "video/webm": walk_matroska, "video/x-matroska": walk_matroska,
    "video/x-matroska-3d": walk_matroska, "video/quicktime": walk_mp4, "video/x-msvideo": walk_avi,
    "application/ogg": walk_ogg, "video/ogg": walk_ogg, "video/x-flv": walk_flv,
    "video/mpegts": walk_transport_stream,
}

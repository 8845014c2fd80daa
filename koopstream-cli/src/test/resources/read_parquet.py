"""Reads a flat Parquet table of numbers with numpy alone, from the format's specification: version 1 and 2 pages, plain and
dictionary encoding, delta-encoded whole numbers, Snappy or no compression. Returns columns by name."""
import struct
import numpy as np

PAGE_DICTIONARY, PAGE_V1, PAGE_V2 = 2, 0, 3


class Thrift:
    """The compact protocol: structs become dictionaries by field number."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def zigzag(self):
        n = self.varint()
        return (n >> 1) ^ -(n & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            self.at += 1
            return self.data[self.at - 1]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 7:
            self.at += 8
            return struct.unpack("<d", self.data[self.at - 8 : self.at])[0]
        if kind == 8:
            size = self.varint()
            self.at += size
            return bytes(self.data[self.at - size : self.at])
        if kind in (9, 10):
            head = self.data[self.at]
            self.at += 1
            size = self.varint() if head >> 4 == 15 else head >> 4
            kind = head & 15
            return [self.value(3 if kind in (1, 2) else kind) for _ in range(size)]
        assert kind == 12, kind
        fields, number = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return fields
            number = number + (head >> 4) if head >> 4 else self.zigzag()
            fields[number] = self.value(head & 15)


def snappy(data):
    reader = Thrift(data)
    size, out = reader.varint(), bytearray()
    at = reader.at
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            length = tag >> 2
            if length >= 60:
                extra = length - 59
                length = int.from_bytes(data[at : at + extra], "little")
                at += extra
            out += data[at : at + length + 1]
            at += length + 1
            continue
        if tag & 3 == 1:
            length, offset = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | data[at]
            at += 1
        else:
            width = 2 if tag & 3 == 2 else 4
            length, offset = (tag >> 2) + 1, int.from_bytes(data[at : at + width], "little")
            at += width
        for _ in range(length):
            out.append(out[-offset])
    assert len(out) == size
    return bytes(out)


def bits(data, width, count):
    """Whole numbers of some bits each, packed from the lowest bit up."""
    if width == 0:
        return np.zeros(count, np.int64)
    spread = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    spread = spread[: count * width].reshape(count, width).astype(object if width > 62 else np.int64)
    return (spread * [1 << i for i in range(width)]).sum(axis=1)


def hybrid(data, width, count):
    """Runs of one number, and packed groups of eight."""
    reader, out = Thrift(data), []
    while len(out) < count:
        head = reader.varint()
        if head & 1:
            size = (head >> 1) * width
            out += list(bits(data[reader.at : reader.at + size], width, (head >> 1) * 8))
            reader.at += size
        else:
            size = (width + 7) // 8
            out += [int.from_bytes(data[reader.at : reader.at + size], "little")] * (head >> 1)
            reader.at += size
    return np.array(out[:count])


def delta(data):
    reader = Thrift(data)
    block, minis, count, value = reader.varint(), reader.varint(), reader.varint(), reader.zigzag()
    out = [value]
    while len(out) < count:
        least = reader.zigzag()
        widths = data[reader.at : reader.at + minis]
        reader.at += minis
        for width in widths:
            if len(out) >= count:
                break
            each = block // minis
            size = each * width // 8
            for step in bits(data[reader.at : reader.at + size], width, each):
                value += least + int(step)
                out.append(value)
            reader.at += size
    return np.array(out[:count])


def decode(kind, encoding, data, count, dictionary):
    if encoding == 0:
        return np.frombuffer(data, {1: "<i4", 2: "<i8", 4: "<f4", 5: "<f8"}[kind], count)
    if encoding in (2, 8):
        return dictionary[hybrid(data[1:], data[0], count)]
    if encoding == 5:
        return delta(data)
    raise AssertionError("encoding %d" % encoding)


def read(path):
    raw = open(path, "rb").read()
    assert raw[:4] == raw[-4:] == b"PAR1"
    size = int.from_bytes(raw[-8:-4], "little")
    footer = Thrift(raw, len(raw) - 8 - size).value(12)
    names = [element[4].decode() for element in footer[2][1:]]
    assert all(element.get(3, 0) == 0 for element in footer[2][1:]), "columns must be required: nothing is missing"
    columns = {name: [] for name in names}
    for group in footer[4]:
        for chunk in group[1]:
            meta = chunk[3]
            name = meta[3][0].decode()
            unpack = {0: bytes, 1: snappy}[meta[4]]
            at, seen, dictionary = min(meta[9], meta.get(11, meta[9])), 0, None
            while seen < meta[5]:
                reader = Thrift(raw, at)
                page = reader.value(12)
                body = raw[reader.at : reader.at + page[3]]
                at = reader.at + page[3]
                if page[1] == PAGE_DICTIONARY:
                    dictionary = decode(meta[1], 0, unpack(body), page[7][1], None)
                    continue
                header = page[5] if page[1] == PAGE_V1 else page[8]
                encoding = header[2] if page[1] == PAGE_V1 else header[4]
                compressed = page[1] == PAGE_V1 or header.get(7, True)
                values = decode(meta[1], encoding, unpack(body) if compressed else body, header[1], dictionary)
                columns[name].append(values)
                seen += header[1]
    columns = {name: np.concatenate(parts) for name, parts in columns.items()}
    assert all(len(column) == footer[3] for column in columns.values())
    return columns

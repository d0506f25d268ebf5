"""Files and their values as the tests of readers share them."""

CARS = "age,colour,class\n3,red,good\n?,blue,bad\n10,,good\n4,red,?\n"


ARFF = r"""% a comment
@RELATION cars

@Attribute 'the age' REAL
@attribute colour {red, 'dark blue', "it\'s"}
@attribute CLASS {good,bad}
@attribute note string
@DATA
3, red, good, 'a, b'
?, 'dark blue', bad, ?
% between
1e1, "it's", ?, '?'   % behind
"""

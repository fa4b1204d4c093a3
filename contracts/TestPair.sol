// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface Token {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

/// The part of a Uniswap-V2-like pair that a price is read from, and a swap that moves it.
contract TestPair {
    address public immutable token0;
    address public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private blockTimestampLast;

    event Sync(uint112 reserve0, uint112 reserve1);

    constructor(address a, address b) {
        (token0, token1) = a < b ? (a, b) : (b, a);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    /// Sets the reserves to what the pair holds.
    function sync() public {
        reserve0 = uint112(Token(token0).balanceOf(address(this)));
        reserve1 = uint112(Token(token1).balanceOf(address(this)));
        blockTimestampLast = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }

    /// Pays out what was bought with tokens sent here before; the product of the reserves may not shrink.
    function swap(uint256 out0, uint256 out1, address to) external {
        uint256 product = uint256(reserve0) * reserve1;
        if (out0 > 0) Token(token0).transfer(to, out0);
        if (out1 > 0) Token(token1).transfer(to, out1);
        sync();
        require(uint256(reserve0) * reserve1 >= product, "the pair would lose");
    }
}
